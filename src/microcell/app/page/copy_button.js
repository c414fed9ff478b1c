// A button that copies a text, and says that it did.

import { announce } from "./banners.js";
import { el, fill } from "./dom.js";
import { t } from "./texts.js";

export function copy_button(text_of, label) {
  const button = el("button", { type: "button", class: "button small", "aria-label": label, on: { click: async () => {
    try {
      await navigator.clipboard.writeText(text_of());
      fill(button, t("release.copied"));
      announce(t("release.copied"));
    } catch {
      fill(button, t("release.not_copied")); // the text can still be marked by hand
    }
    setTimeout(() => fill(button, t("release.copy")), 2000);
  } } }, t("release.copy"));
  return button;
}
