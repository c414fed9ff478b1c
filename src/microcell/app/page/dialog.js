// A question before something that cannot be taken back.

import { el, uid } from "./dom.js";
import { t } from "./texts.js";

/** Ask; resolves to whether it was confirmed. Escape and the other button are "no". */
export function confirm_dialog({ title, text, yes, no = t("shell.cancel"), danger = false }) {
  const name = uid("dialog");
  return new Promise((resolve) => {
    const agree = el("button", { class: danger ? "button danger" : "button primary", type: "button", value: "yes" }, yes);
    const refuse = el("button", { class: "button", type: "button", value: "no", autofocus: true }, no);
    const dialog = el("dialog", { "aria-labelledby": name }, el("h2", { id: name }, title), el("p", {}, text),
      el("div", { class: "actions" }, refuse, agree));
    agree.addEventListener("click", () => dialog.close("yes"));
    refuse.addEventListener("click", () => dialog.close("no"));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
