import * as api from "./api.js";
import { ChangedCount } from "./changed-count.js";

// Milliseconds between two questions: while somebody shows the rules, and else; and at least so many times as long as the last answer took.
const lookEvery = { shown: 1_000, beside: 5_000 };
const restFactor = 3;
// Answers in a row without one of the rules that were turned off all together, after which nobody remembers them.
const missLimit = 10;
// Rules that are switched in one request.
const switchedAtOnce = 1_000;

/**
 * The rules of the running proxy, asked for again and again while the page is in sight: whole while they are shown, else in sum. Says `changed`
 * after each answer.
 */
export class RunningRules extends EventTarget {
  /** Whether a proxy runs on this store at all. */
  isRunning;
  /** What the API says: rules, all, active, hits, files and problems; null before it has. Its rules may be as they were when they were last shown. */
  answer = null;
  /** The same without the rules, as it is now; null before the first answer. */
  sum = null;
  /** The names of the rules that this page turned off all together and that are off still. */
  waiting = [];
  /** How many of these have ended, so that they do nothing though they are on. */
  endedCount = 0;
  /** Why the last question has no answer; null where it has. */
  error = null;
  #isShown = false;
  /** Whether the server is there, as far as the list knows. */
  #isLive = false;
  #timer = 0;
  #askedAt = -Infinity;
  /** The number of questions so far; only the answer to the last one counts. */
  #asked = 0;
  /** How many switches are under way: meanwhile nothing is asked, as the answer may tell the state of before. */
  #turning = 0;
  /** The names of the rules that this page turned off all together, until all of them are on; null otherwise. */
  #turnedOff = null;
  #misses = 0;
  #count;

  constructor({ isRunning, listing }) {
    super();
    this.isRunning = isRunning;
    this.#count = new ChangedCount({ listing });
    this.#count.addEventListener("counted", () => this.#tell());
    const resume = () => this.#plan(Math.max(0, this.#askedAt + lookEvery.shown - performance.now()));
    const become = (isLive) => {
      this.#isLive = isLive;
      if (isLive) resume();
    };
    document.addEventListener("visibilitychange", resume);
    listing.addEventListener("live", () => become(true));
    listing.addEventListener("lost", () => become(false));
    listing.addEventListener("denied", () => become(false));
  }

  /** The exchanges that rules changed; null before they are counted. */
  get changed() { return this.#count.number; }

  /** Keeps the rules fresh from now on, or no longer. */
  show(isShown) {
    this.#isShown = isShown;
    // What was true when they were last shown is not shown again.
    if (isShown && this.answer !== this.sum) this.answer = null;
    if (isShown) this.#look();
    else this.#plan(lookEvery.beside);
  }

  /** Switches the rules of some names, or with null all, on or off; throws what the API says against it. */
  async turn(names, on) {
    this.#turning += 1;
    clearTimeout(this.#timer);
    // What is answered to a question of before tells the earlier state.
    this.#asked += 1;
    try {
      for (let from = 0; from === 0 || from < names?.length; from += switchedAtOnce) {
        const asked = names ? { names: names.slice(from, from + switchedAtOnce) } : { all: true };
        this.#take(await api.post("rules", { ...asked, on }), null);
      }
    } finally {
      this.#turning -= 1;
      this.#plan(lookEvery.shown);
    }
  }

  /** Turns all rules off, and keeps in mind which were on, beside those that it turned off before and that are off still. */
  async turnOff() {
    const before = this.#turnedOff;
    const { rules } = await api.get("rules");
    this.#turnedOff = new Set([...(before ?? []), ...rules.filter(({ on }) => on).map(({ name }) => name)]);
    try {
      await this.turn(null, false);
    } catch (error) {
      // Without an answer nobody knows whether they are off: the next answer tells.
      if (error instanceof api.Refusal) this.#turnedOff = before;
      throw error;
    }
  }

  /** Turns those on again that were turned off all together, as far as they are there. */
  async turnOn() {
    const { rules } = await api.get("rules");
    this.#findWaiting(rules);
    if (this.waiting.length) await this.turn(this.waiting, true);
    else this.#tell();
  }

  /** Forgets which rules were turned off all together. */
  forget() {
    this.#turnedOff = null;
    this.waiting = [];
    this.endedCount = 0;
    this.#tell();
  }

  #plan(rest) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.isRunning && this.#isLive && !document.hidden) this.#timer = setTimeout(() => this.#look(), rest);
  }

  async #look() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.isRunning || this.#turning > 0) return;
    const asked = this.#asked += 1;
    const began = this.#askedAt = performance.now();
    let [answer, failure] = [null, null];
    try {
      // Only the whole list tells which of those that were turned off are off still.
      answer = await api.get(this.#isShown || this.#turnedOff ? "rules" : "rules?limit=0");
    } catch (error) {
      failure = error;
    }
    if (asked !== this.#asked) return;
    this.#plan(Math.max(lookEvery[this.#isShown ? "shown" : "beside"], restFactor * (performance.now() - began)));
    this.#take(answer, failure);
  }

  #take(answer, error) {
    this.error = error;
    if (answer) {
      // The list tells no changes under a filter that cannot be read.
      if (answer.hits !== this.sum?.hits) this.#count.again();
      this.sum = answer;
      this.#count.isWanted = answer.active > 0;
      if (answer.rules.length === answer.all) {
        this.answer = answer;
        this.#findWaiting(answer.rules);
      }
    }
    this.#tell();
  }

  /**
   * Finds which rules there is a way back for. One that is on again is no more among them. A rule whose file is being written anew may be missing
   * for a moment, and is kept in mind for some answers.
   */
  #findWaiting(rules) {
    if (!this.#turnedOff) return;
    for (const { name, on } of rules) if (on) this.#turnedOff.delete(name);
    const off = rules.filter(({ name }) => this.#turnedOff.has(name));
    this.waiting = off.map(({ name }) => name);
    this.endedCount = off.filter(({ ended }) => ended).length;
    this.#misses = off.length ? 0 : this.#misses + 1;
    if (!this.#turnedOff.size || this.#misses > missLimit) this.#turnedOff = null;
  }

  #tell() { this.dispatchEvent(new Event("changed")); }
}
