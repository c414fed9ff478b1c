// What the page knows: a copy of the server's state, and edits on their way to it.
//
//   store.state                     GET /api/state, kept up to date
//   store.document(id)                  the document, with edits that are still on their way
//   await store.load(id)            fetch it (also when it is not there yet)
//   await store.catalogue()         GET /api/catalogue, once
//   store.edit(id, change)          change(entries) alters a copy of the draft; sent at once
//   store.edit_soon(id, change)     the same while somebody types: sent within 300 ms
//   await store.flush()             what is on its way is at the server (done on leaving a step)
//   store.take(doc)               a Document that an answer brought
//   store.act(id, "undo")           POST /api/documents/{id}/..., takes the Document that comes back
//   store.subscribe(tell)           tell({type: "document"|"state"|"job"|"candidate"|"problem", ...}); returns unsubscribe

import * as api from "./api.js";

const TYPING = 250; // milliseconds that somebody pauses between letters

export class Store {
  state = null;
  #documents = new Map();
  #pending = new Map(); // document -> changes that the server does not have yet
  #sending = new Map(); // document -> promise of the request on its way
  #timers = new Map();
  #typed = new WeakSet(); // changes while somebody types: several are one step to undo
  #tellers = new Set();
  #catalogue = null;

  subscribe(tell) {
    this.#tellers.add(tell);
    return () => this.#tellers.delete(tell);
  }

  tell(event) {
    for (const tell of [...this.#tellers]) tell(event);
  }

  async refresh() {
    this.state = await api.get("state");
    this.tell({ type: "state" });
    return this.state;
  }

  catalogue() {
    this.#catalogue ??= api.get("catalogue").catch((error) => {
      this.#catalogue = null;
      throw error;
    });
    return this.#catalogue;
  }

  document(id) {
    const known = this.#documents.get(id);
    const changes = this.#pending.get(id);
    if (!known || !changes?.length) return known ?? null;
    return { ...known, draft: applied(known.draft, changes) };
  }

  async load(id) {
    this.take(await api.get(`documents/${id}`));
    return this.document(id);
  }

  take(doc) {
    const known = this.#documents.get(doc.id);
    if (known && doc.revision < known.revision) return this.document(doc.id);
    this.#documents.set(doc.id, doc);
    this.tell({ type: "document", id: doc.id });
    return this.document(doc.id);
  }

  forget(id) {
    this.#documents.delete(id);
    this.#pending.delete(id);
  }

  edit(id, change) {
    this.#note(id, change);
    return this.#send(id);
  }

  edit_soon(id, change) {
    this.#typed.add(change);
    this.#note(id, change);
    clearTimeout(this.#timers.get(id));
    this.#timers.set(id, setTimeout(() => this.#send(id), TYPING));
  }

  async flush() {
    await Promise.all([...this.#pending.keys()].map((id) => this.#send(id)));
  }

  async act(id, what, body) {
    await this.flush();
    return this.take(await api.post(`documents/${id}/${what}`, body));
  }

  /** A job or a candidate that the server told of. */
  heard(event) {
    if (event.type === "job") this.#hear_job(event.job);
    if (event.type === "candidate") this.#hear_candidate(event);
    this.tell(event);
  }

  #note(id, change) {
    this.#pending.set(id, [...(this.#pending.get(id) ?? []), change]);
    this.tell({ type: "document", id });
  }

  /** One request at a time for each document, and one for each change, so that each can be undone. */
  async #send(id) {
    clearTimeout(this.#timers.get(id));
    do {
      while (this.#sending.has(id)) await this.#sending.get(id);
      if (!this.#pending.get(id)?.length) break;
      const request = this.#put(id);
      this.#sending.set(id, request);
      await request;
    } while (this.#pending.get(id)?.length);
    return this.document(id);
  }

  #next(id) {
    const changes = this.#pending.get(id);
    const clicked = changes.findIndex((change) => !this.#typed.has(change));
    return changes.slice(0, clicked === -1 ? changes.length : Math.max(clicked, 1));
  }

  async #put(id) {
    const changes = this.#next(id);
    let known = this.#documents.get(id);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const entries = applied(known.draft, changes);
        try {
          known = await api.put(`documents/${id}/draft`, { revision: known.revision, entries });
          break;
        } catch (error) {
          if (error.status !== 409 || !error.body?.document || attempt > 3) throw error;
          known = error.body.document; // somebody else changed it: the same change on top of that
        }
      }
      this.#sent(id, changes);
      this.take(known);
    } catch (error) {
      this.#sent(id, changes);
      this.tell({ type: "problem", error });
      this.tell({ type: "document", id });
    } finally {
      this.#sending.delete(id);
    }
  }

  #sent(id, changes) {
    const rest = (this.#pending.get(id) ?? []).filter((change) => !changes.includes(change));
    if (rest.length) this.#pending.set(id, rest);
    else this.#pending.delete(id);
  }

  #hear_job(job) {
    if (this.state) this.state = { ...this.state, jobs: merged(this.state.jobs, job, "id") };
    const known = this.#documents.get(job.document);
    if (known) this.#documents.set(job.document, { ...known, jobs: merged(known.jobs, job, "id") });
  }

  #hear_candidate({ type, document: id, candidate, ...rest }) {
    const known = this.#documents.get(id);
    if (!known?.comparison) return;
    const candidates = merged(known.comparison.candidates, candidate, "label");
    this.#documents.set(id, { ...known, comparison: { ...known.comparison, ...rest, candidates } });
  }
}

function applied(draft, changes) {
  const entries = structuredClone(draft ?? {});
  for (const change of changes) change(entries);
  return entries;
}

function merged(items, item, key) {
  const there = items.some((other) => other[key] === item[key]);
  return there ? items.map((other) => (other[key] === item[key] ? item : other)) : [...items, item];
}
