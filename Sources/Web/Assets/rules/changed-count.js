import * as api from "./api.js";

// Milliseconds between two countings, and at least so many times as long as the last took: a large store is counted slowly.
const rest = 1_000;
const restFactor = 9;

/**
 * How many exchanges of the store rules changed: counted while that is wanted, and again after the store has changed, be it that an exchange ended or
 * that exchanges were removed. Says `counted`.
 */
export class ChangedCount extends EventTarget {
  /** The number; null before it is counted. */
  number = null;
  #isWanted = false;
  /** Whether the store may have changed since the last counting began. */
  #isBehind = true;
  #isCounting = false;
  #timer = 0;
  /** When it may be counted again. */
  #next = 0;

  constructor({ listing }) {
    super();
    // A list that is live again was not told what changed before.
    for (const name of ["changed", "live"]) listing.addEventListener(name, () => this.again());
    document.addEventListener("visibilitychange", () => this.#plan());
  }

  /** Whether anybody looks at the number. */
  set isWanted(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    this.#plan();
  }

  /** Counts again, as the store may have changed. */
  again() {
    this.#isBehind = true;
    this.#plan();
  }

  #plan() {
    if (!this.#isWanted || !this.#isBehind || this.#timer || this.#isCounting || document.hidden) return;
    this.#timer = setTimeout(() => this.#count(), Math.max(0, this.#next - performance.now()));
  }

  async #count() {
    this.#timer = 0;
    if (!this.#isWanted || document.hidden) return;
    this.#isBehind = false;
    this.#isCounting = true;
    const began = performance.now();
    let isThere = true;
    try {
      this.number = (await api.get("exchanges?q=is:modified&limit=0")).matched;
      this.dispatchEvent(new Event("counted"));
    } catch {
      // The questions for the rules tell of it; it is tried again after the next change, or when the list is live again.
      this.#isBehind = true;
      isThere = false;
    }
    const now = performance.now();
    this.#next = now + Math.max(rest, restFactor * (now - began));
    this.#isCounting = false;
    if (isThere) this.#plan();
  }
}
