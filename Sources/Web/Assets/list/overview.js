import * as api from "./api.js";

// Slots of the strip of time at most.
const slotLimit = 300;
// Milliseconds between two askings of a list that changes, and at least so many times as long as the last took.
const askEvery = 1_000;
const restFactor = 10;

/** Where the exchanges of the filter are, by number and by time. Says `told` when it was asked anew. */
export class Overview extends EventTarget {
  /** The answer for the present filter; null until it came. */
  answer = null;
  #view;
  #asking = null;
  #timer = 0;
  #next = 0;
  /** Whether something changed since the question that is under way was asked. */
  #isStale = false;

  constructor(view) {
    super();
    this.#view = view;
    view.addEventListener("filter", () => { this.answer = null; });
  }

  /** Asks; returns the answer, which is null when another question overtook it or it failed. */
  async ask() {
    this.#asking?.abort();
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isStale = false;
    const asking = new AbortController();
    this.#asking = asking;
    const began = performance.now();
    try {
      const query = [this.#view.filter, `slots=${slotLimit}`, "strip=whole"].filter(Boolean).join("&");
      const answer = await api.get(`overview?${query}`, { signal: asking.signal });
      if (this.#asking !== asking) return null;
      this.answer = answer;
      this.dispatchEvent(new Event("told"));
      return answer;
    } catch {
      // The counting beside it says what went wrong.
      return null;
    } finally {
      if (this.#asking === asking) {
        this.#asking = null;
        const now = performance.now();
        this.#next = now + Math.max(askEvery, restFactor * (now - began));
        if (this.#isStale) this.again();
      }
    }
  }

  /** Asks again soon, at most once a second however much changes, and not before the question under way is answered. */
  again() {
    this.#isStale = this.#asking !== null;
    if (this.#timer || this.#isStale) return;
    this.#timer = setTimeout(() => this.ask(), Math.max(0, this.#next - performance.now()));
  }
}
