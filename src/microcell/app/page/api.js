// What the page asks of the server, and what the server tells by itself.

/** The library's sentence, with the option and the column that it is about. */
export class ApiError extends Error {
  constructor(status, { message, option = null, column = null } = {}, body = null) {
    super(message || `The server answered ${status}.`);
    Object.assign(this, { status, option, column, body });
  }
}

/** The server is gone. */
export class Offline extends Error {}

async function ask(method, path, body, type = "application/json") {
  const headers = body === undefined ? {} : { "Content-Type": type };
  const sent = body === undefined || type !== "application/json" ? body : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(`/api/${path}`, { method, headers, body: sent, cache: "no-store" });
  } catch (error) {
    throw new Offline(error.message);
  }
  return read(answer.status, await answer.text());
}

function read(status, text) {
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    body = null;
  }
  if (status >= 400) throw new ApiError(status, body?.error, body);
  return body;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);
export const put = (path, body) => ask("PUT", path, body);
export const remove = (path) => ask("DELETE", path);
export const post_text = (path, text) => ask("POST", path, text, "application/toml");

/** Send a file; `told(share)` while it goes. Returns {done: Promise<Document>, stop}. */
export function upload(file, told) {
  const request = new XMLHttpRequest(); // fetch does not tell how much has been sent
  const done = new Promise((resolve, reject) => {
    request.upload.addEventListener("progress", (event) => told(event.loaded, event.total));
    request.addEventListener("load", () => {
      try {
        resolve(read(request.status, request.responseText));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener("error", () => reject(new Offline("upload")));
    request.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
  });
  request.open("POST", `/api/documents?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  return { done, stop: () => request.abort() };
}

/** Listen while the tab is visible: browsers allow few connections to one server.
 *
 * `opened` is called on each (re)connection, so that what was missed is fetched anew.
 */
export function listen({ opened, told, lost }) {
  let source = null;
  let retry = 0;
  const connect = () => {
    clearTimeout(retry);
    if (source || document.hidden) return;
    source = new EventSource("/api/events");
    source.addEventListener("open", opened);
    source.addEventListener("message", (event) => told(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      source?.close();
      source = null;
      lost();
      retry = setTimeout(connect, 2000);
    });
  };
  const hang_up = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? hang_up() : connect()));
  window.addEventListener("pagehide", hang_up);
  window.addEventListener("pageshow", connect);
  connect();
  return hang_up;
}
