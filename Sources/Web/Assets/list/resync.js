// Milliseconds between two times that a list is asked for again because not every change was told.
const askEvery = 250;

/** Asks for a list again after changes that were not told one by one; each answer is shown before the next question. */
export class Resync {
  /** Whether a change may be missing: the list was asked for before changes were told, or there were too many changes. */
  isBehind = false;
  #on;
  #isAsking = false;
  #timer = 0;
  #next = 0;

  /** `on`: `isLoading()`, whether a load is under way; `isOpen()`, whether changes are told; `ask()`, which resolves when the answer is shown. */
  constructor(on) { this.#on = on; }

  /** Asks soon, and not before the answer that is under way is shown. */
  again() {
    this.isBehind = true;
    if (this.#timer || this.#isAsking || this.#on.isLoading()) return;
    this.#timer = setTimeout(() => this.#ask(), Math.max(0, this.#next - performance.now()));
  }

  /** Asks where a change may be missing, as soon as changes are told. */
  catchUp() {
    if (this.isBehind && this.#on.isOpen()) this.again();
  }

  async #ask() {
    this.#timer = 0;
    // A load that has begun since covers this.
    if (!this.isBehind || this.#on.isLoading()) return;
    this.isBehind = false;
    this.#isAsking = true;
    await this.#on.ask();
    this.#isAsking = false;
    this.#next = performance.now() + askEvery;
    this.catchUp();
  }
}
