// Milliseconds between two times that a list is asked for again because not every change was told.
const askEvery = 250;

/** Has a list asked for again after changes that were not told one by one; however many there are, each answer is waited for and shown. */
export class Resync {
  /** Whether something may have changed that neither the list nor a change has told: it was asked for before changes were, or they were too many. */
  isBehind = false;
  #on;
  #isAsking = false;
  #timer = 0;
  #next = 0;

  /** `on`: `isLoading()`, whether a load is under way; `isOpen()`, whether changes are told of; `ask()`, which comes when the answer is shown. */
  constructor(on) { this.#on = on; }

  /** Asks soon, and not before the answer that is under way is shown. */
  again() {
    this.isBehind = true;
    if (this.#timer || this.#isAsking || this.#on.isLoading()) return;
    this.#timer = setTimeout(() => this.#ask(), Math.max(0, this.#next - performance.now()));
  }

  /** Asks where something may have changed, as soon as changes are told of. */
  catchUp() {
    if (this.isBehind && this.#on.isOpen()) this.again();
  }

  async #ask() {
    this.#timer = 0;
    // A load that has begun since looks after it.
    if (!this.isBehind || this.#on.isLoading()) return;
    this.isBehind = false;
    this.#isAsking = true;
    await this.#on.ask();
    this.#isAsking = false;
    this.#next = performance.now() + askEvery;
    this.catchUp();
  }
}
