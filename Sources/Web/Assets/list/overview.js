import * as api from "./api.js";

// Slots of the strip of time at most.
const slotLimit = 300;
// Milliseconds between two questions for a list that changes, and the least pause as a multiple of the last answer's time.
const askEvery = 1_000;
const restFactor = 10;

/** The counts of the filter's exchanges by number and by time. Says `told` when there is a new answer. */
export class Overview extends EventTarget {
  /** The answer for the present filter; null until it has come. */
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

  /** Asks; returns the answer, or null when a later question overtook this one or it failed. */
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
      // The counts, which are asked for too, say what went wrong.
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
