import * as api from "./api.js";
import { BodyContent } from "./body-content.js";
import { el, fill } from "./dom.js";
import { bytes, count } from "./format.js";

/** The whole of a message's payload, in the views that a body has. */
export class MessagePayload {
  element = el("div", {}, el("p", { class: "quiet", role: "status" }, "Loading…"));
  #abort = new AbortController();
  #content = null;

  constructor(exchange, message, { terms }) { this.#load(`exchanges/${exchange}/messages/${message.number}/payload`, message, terms); }

  /** Stops the work that is under way, and releases what the view holds. */
  end() {
    this.#abort.abort();
    this.#content?.end();
  }

  async #load(path, message, terms) {
    try {
      const { blob } = await api.blob(path, { signal: this.#abort.signal });
      this.#content = new BodyContent(blob, {
        facts: bytes(blob.size), terms,
        problem: blob.size < message.size && message.kind !== "event" ? `Only ${count(blob.size)} of ${count(message.size)} bytes were kept.` : null,
        links: el("a", { class: "button small", href: api.href(path), download: "" }, "Save"),
      });
      fill(this.element, this.#content.element);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.element, el("p", { class: "problem" }, error.message));
    }
  }
}

/** Bytes as pairs of hexadecimal digits. */
export const hexadecimal = (base64) => [...atob(base64)].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join(" ");
