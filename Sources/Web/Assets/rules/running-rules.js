import * as api from "./api.js";

// Milliseconds between two questions while somebody shows the rules, and at least so many times as long as the last answer took.
const lookEvery = 1_000;
const restFactor = 3;

/** The rules of the running proxy, asked for again and again while they are shown and the page is in sight. Says `changed` after each answer. */
export class RunningRules extends EventTarget {
  /** Whether a proxy runs on this store at all. */
  isRunning;
  /** What the API says: rules, all, active, hits, files and problems; null before it has. */
  answer = null;
  /** Why the last question has no answer; null where it has. */
  error = null;
  #isShown = false;
  #timer = 0;
  /** The number of questions so far; only the answer to the last one counts. */
  #asked = 0;

  constructor({ isRunning }) {
    super();
    this.isRunning = isRunning;
    document.addEventListener("visibilitychange", () => !document.hidden && !this.#timer && this.#plan(lookEvery));
  }

  /** Keeps the rules fresh from now on, or no longer. */
  show(isShown) {
    this.#isShown = isShown;
    if (isShown) this.#look();
    else this.#plan(0);
  }

  /** Switches the rules of some names, or with null all, on or off; throws what the API says against it. */
  async turn(names, on) {
    const answer = await api.post("rules", { ...(names ? { names } : { all: true }), on });
    // An answer to a question of that time may tell the earlier state.
    this.#asked += 1;
    this.#take(answer, null);
    this.#plan(lookEvery);
  }

  #plan(rest) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.isRunning && this.#isShown && !document.hidden) this.#timer = setTimeout(() => this.#look(), rest);
  }

  async #look() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.isRunning) return;
    const asked = this.#asked += 1;
    const began = performance.now();
    let [answer, failure] = [this.answer, null];
    try {
      answer = await api.get("rules");
    } catch (error) {
      failure = error;
    }
    if (asked !== this.#asked) return;
    this.#take(answer, failure);
    this.#plan(Math.max(lookEvery, restFactor * (performance.now() - began)));
  }

  #take(answer, error) {
    Object.assign(this, { answer, error });
    this.dispatchEvent(new Event("changed"));
  }
}
