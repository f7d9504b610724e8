import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { bytes, count, time } from "./format.js";

const pageLength = 200;
// Rows on the page at once; the rest is asked for.
const rowLimit = 5_000;
const previewLength = 300;

/** The messages of a stream, in the order they passed; asked for more, it adds what is new. */
export class MessagesView {
  #id;
  #last = 0;
  #shown = 0;
  #isLoading = false;
  #isStale = false;
  #abort = new AbortController();
  #body = el("tbody");
  #note = el("p", { class: "quiet", role: "status" }, "Loading the messages…");
  #more = el("button", { type: "button", class: "button small", hidden: true, onclick: () => this.#goOn() }, "Show more");
  #element;
  #limit = rowLimit;

  constructor(id) {
    this.#id = id;
    this.#element = el("div", { class: "messages" },
      el("table", { class: "fields" },
        el("thead", {}, el("tr", {}, ["Time", "", "Message", "Size", "Payload"].map((title) => el("th", { scope: "col" }, title)))),
        this.#body),
      this.#note, this.#more);
    this.refresh();
  }

  get id() { return this.#id; }
  get element() { return this.#element; }

  /** Adds what has come since. */
  async refresh() {
    this.#isStale = true;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#isStale && this.#shown < this.#limit) {
        const { messages, next } = await api.get(`exchanges/${this.#id}/messages?after=${this.#last}&limit=${pageLength}`,
          { signal: this.#abort.signal });
        this.#isStale = next !== null;
        this.#body.append(...messages.map((message) => this.#row(message)));
        this.#shown += messages.length;
        this.#last = messages.at(-1)?.number ?? this.#last;
      }
      fill(this.#note, this.#shown ? `${count(this.#shown)} shown.` : "No message yet.");
      this.#more.hidden = this.#shown < this.#limit;
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#note, error.message);
    }
    this.#isLoading = false;
  }

  /** Stops what is under way. */
  end() { this.#abort.abort(); }

  #goOn() {
    this.#limit += rowLimit;
    this.refresh();
  }

  #row(message) {
    const isSent = message.direction === "send";
    const status = message.status === null ? "" : ` ${message.status}`;
    return el("tr", { class: isSent ? "sent" : "received" },
      el("td", { class: "when", title: `${message.afterMs} ms after the exchange began` }, time(message.time)),
      el("td", { title: isSent ? "from the client" : "from the upstream" }, isSent ? "→" : "←"),
      el("td", {}, `${message.label}${status}`, message.eventId && el("span", { class: "quiet" }, ` #${message.eventId}`)),
      el("td", { class: "size", title: message.compressed ? `${message.wireBytes} bytes compressed` : null }, bytes(message.size)),
      el("td", { class: "payload" }, this.#payload(message), message.problem && el("p", { class: "problem" }, message.problem)));
  }

  #payload(message) {
    const text = message.text ?? spaced(message.base64);
    const save = el("a", { class: "button small", href: `/api/v1/exchanges/${this.#id}/messages/${message.number}/payload`, download: "" }, "Save");
    if (text.length <= previewLength && !message.truncated) return el("code", {}, text);
    return el("details", {}, el("summary", {}, el("code", {}, text.slice(0, previewLength)), "…"),
      el("pre", { class: "text" }, text), message.truncated && el("p", { class: "quiet" }, "Not all of it is shown. "), save);
  }
}

/** Bytes as pairs of hexadecimal digits. */
function spaced(base64) {
  return [...atob(base64)].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join(" ");
}
