import * as api from "./api.js";

/** Messages that one answer brings. */
export const pageLength = 200;
// Pages that are held; the page that was shown longest ago is dropped first.
const heldPages = 20;
// Bytes of a payload that are fetched for a row; the whole payload is fetched when the message is opened.
const payloadBytes = 1024;

/** The messages of a stream by their place, a page at a time: all of them, or those of one direction. */
export class MessagePages {
  /** The number of messages, as far as it is known. */
  total = 0;
  #id;
  #direction;
  #signal;
  // The number after which each page begins. All messages are numbered without a gap; those of one direction are found page by page.
  #starts = [0];
  #held = new Map();

  /** `direction` is send, receive or "" for both. */
  constructor(id, direction, signal) {
    [this.#id, this.#direction, this.#signal] = [id, direction, signal];
  }

  /** The messages from one place to another; fewer at the end. */
  async rows(from, to) {
    const rows = [];
    for (let page = Math.floor(from / pageLength); page * pageLength < to; page += 1) {
      const { messages } = await this.#page(page);
      rows.push(...messages.slice(Math.max(0, from - page * pageLength), to - page * pageLength));
      if (messages.length < pageLength) break;
    }
    return rows;
  }

  /** Takes the number of messages from the exchange, and asks for more: the number of an open stream lags behind. */
  async grow(told) {
    for (const [page, { messages }] of this.#held) if (messages.length < pageLength) this.#held.delete(page);
    if (this.#direction) {
      this.total = Math.max(this.total, told);
      return;
    }
    let page = Math.floor(Math.max(told, this.total) / pageLength);
    for (;;) {
      const { messages, next } = await this.#page(page);
      if (!messages.length && this.total < page * pageLength) {
        page -= 1;
        continue;
      }
      this.total = page * pageLength + messages.length;
      if (next === null) return;
      page += 1;
    }
  }

  async #page(page) {
    while (this.#direction && this.#starts.length <= page) {
      const { next } = await this.#ask(this.#starts.length - 1);
      if (next === null) return { messages: [], next };
      this.#starts.push(next);
    }
    const found = this.#held.get(page) ?? await this.#ask(page);
    this.#held.delete(page);
    this.#held.set(page, found);
    if (this.#held.size > heldPages) this.#held.delete(this.#held.keys().next().value);
    return found;
  }

  #ask(page) {
    const after = this.#direction ? this.#starts[page] : page * pageLength;
    const direction = this.#direction && `&direction=${this.#direction}`;
    return api.get(`exchanges/${this.#id}/messages?after=${after}&limit=${pageLength}&payload=${payloadBytes}${direction}`, { signal: this.#signal });
  }
}
