import * as api from "./api.js";
import { labelOf, textOf } from "./message-words.js";

// Messages and bytes of each payload that one answer brings: the most that the server gives of a payload in a list.
const pageLength = 200;
const payloadBytes = 32 << 10;
// Messages that are kept at most, and characters of each that a row may show.
const longest = 10_000;
const keptLength = 1_000;

/**
 * The messages of a stream whose kind or payload holds a text, whatever its case, found from the first one on; read as `MessagePages` are.
 *
 * Of a payload the first 32 KB are looked at.
 */
export class FoundMessages {
  /** The number of messages found so far, 10,000 at most. */
  total = 0;
  #path;
  #text;
  #signal;
  #found = [];
  #after = 0;

  /** `direction` is send, receive or "" for both. */
  constructor(id, { direction, text, signal }) {
    this.#path = `exchanges/${id}/messages?limit=${pageLength}&payload=${payloadBytes}${direction && `&direction=${direction}`}`;
    this.#text = text.toLowerCase();
    this.#signal = signal;
  }

  /** Whether as many are kept as there may be. */
  get isFull() { return this.total === longest; }

  /** The messages found from one place to another. */
  async rows(from, to) { return this.#found.slice(from, to); }

  /** Reads on to the end of the stream; calls `tell` after each answer. */
  async grow(_, tell) {
    while (!this.isFull) {
      const { messages, next } = await api.get(`${this.#path}&after=${this.#after}`, { signal: this.#signal });
      const found = messages.filter((message) => `${labelOf(message)} ${textOf(message)}`.toLowerCase().includes(this.#text));
      this.#found.push(...found.slice(0, longest - this.total).map((message) => this.#shortened(message)));
      this.total = this.#found.length;
      this.#after = messages.at(-1)?.number ?? this.#after;
      if (next === null) return;
      tell();
    }
  }

  /** The message with what its row shows of the payload: from shortly before the text on, where the text comes late. */
  #shortened(message) {
    const whole = textOf(message);
    const from = Math.max(0, whole.toLowerCase().indexOf(this.#text) - 20);
    const text = `${from ? "…" : ""}${whole.slice(from, from + keptLength)}`;
    return { ...message, base64: null, text, truncated: message.truncated || whole.length > from + keptLength };
  }
}
