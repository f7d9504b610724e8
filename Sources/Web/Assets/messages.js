import * as api from "./api.js";
import { BodyContent } from "./body-content.js";
import { el, fill } from "./dom.js";
import { bytes, count, time } from "./format.js";
import { marked, needles } from "./highlight.js";

const pageLength = 200;
// Rows on the page at once; the rest is asked for.
const rowLimit = 5_000;
const previewLength = 300;
const directions = [["", "All"], ["sent", "Sent"], ["received", "Received"]];

/** The messages of a stream, in the order they passed; asked for more, it adds what is new. */
export class MessagesView {
  #id;
  #terms;
  #pattern;
  #last = 0;
  #shown = 0;
  #isLoading = false;
  #isStale = false;
  #abort = new AbortController();
  #contents = [];
  #body = el("tbody");
  #note = el("p", { class: "quiet", role: "status" }, "Loading the messages…");
  #more = el("button", { type: "button", class: "button small", hidden: true, onclick: () => this.#goOn() }, "Show more");
  #element;
  #limit = rowLimit;

  constructor(id, { terms = [] } = {}) {
    this.#id = id;
    this.#terms = terms;
    this.#pattern = needles(terms)?.text ?? null;
    const table = el("table", { class: "fields" },
      el("thead", {}, el("tr", {}, ["Time", "", "Message", "Size", "Payload"].map((title) => el("th", { scope: "col" }, title)))), this.#body);
    const buttons = directions.map(([name, title]) => el("button", {
      type: "button", class: "button small", "aria-pressed": String(name === ""), onclick: (event) => {
        table.dataset.only = name;
        for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.currentTarget));
      },
    }, title));
    this.#element = el("div", { class: "messages" },
      el("div", { class: "toolbar" }, el("div", { class: "segments", role: "group", "aria-label": "Direction" }, buttons), this.#note), table, this.#more);
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
      fill(this.#note, this.#shown ? `${count(this.#shown)} shown` : "No message yet.");
      this.#more.hidden = this.#shown < this.#limit;
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#note, error.message);
    }
    this.#isLoading = false;
  }

  /** Stops what is under way. */
  end() {
    this.#abort.abort();
    for (const content of this.#contents) content.end();
  }

  #goOn() {
    this.#limit += rowLimit;
    this.refresh();
  }

  #row(message) {
    const isSent = message.direction === "send";
    const status = message.status === null ? "" : ` ${message.status}`;
    return el("tr", { class: isSent ? "sent" : "received" },
      el("td", { class: "when", title: `${message.afterMs} ms after the exchange began` }, time(message.time)),
      el("td", { class: "way", title: isSent ? "from the client" : "from the upstream" }, el("span", { role: "img", "aria-label": isSent ? "Sent" : "Received" }, isSent ? "→" : "←")),
      el("td", {}, `${message.label}${status}`, message.eventId && el("span", { class: "quiet" }, ` #${message.eventId}`)),
      el("td", { class: "size", title: message.compressed ? `${message.wireBytes} bytes compressed` : null }, bytes(message.size)),
      el("td", { class: "payload" }, this.#payload(message), message.problem && el("p", { class: "problem" }, message.problem)));
  }

  #payload(message) {
    const text = message.text ?? spaced(message.base64);
    if (text.length <= previewLength && !message.truncated && !/^\s*[[{]./.test(text)) return el("code", {}, marked(text, this.#pattern));
    const place = el("div", {});
    return el("details", { ontoggle: () => place.hasChildNodes() || this.#open(message, place) },
      el("summary", {}, el("code", {}, marked(text.slice(0, previewLength), this.#pattern)), text.length > previewLength && "…"), place);
  }

  /** The whole of a payload, in the views that a body has. */
  async #open(message, place) {
    fill(place, el("p", { class: "quiet", role: "status" }, "Loading…"));
    const path = `exchanges/${this.#id}/messages/${message.number}/payload`;
    try {
      const { blob } = await api.blob(path, { signal: this.#abort.signal });
      const content = new BodyContent(blob, {
        facts: bytes(blob.size), terms: this.#terms, problem: blob.size < message.size && message.kind !== "event" ? `Only ${count(blob.size)} of ${count(message.size)} bytes were kept.` : null,
        links: el("a", { class: "button small", href: `/api/v1/${path}`, download: "" }, "Save"),
      });
      this.#contents.push(content);
      fill(place, content.element);
    } catch (error) {
      if (error.name !== "AbortError") fill(place, el("p", { class: "problem" }, error.message));
    }
  }
}

/** Bytes as pairs of hexadecimal digits. */
function spaced(base64) {
  return [...atob(base64)].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join(" ");
}
