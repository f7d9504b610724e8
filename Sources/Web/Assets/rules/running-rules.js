import * as api from "./api.js";

// Milliseconds between two questions: while somebody shows the rules, and else; and at least so many times as long as the last answer took.
const lookEvery = { shown: 1_000, beside: 5_000 };
const restFactor = 3;
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
  /** The exchanges that rules changed; null before they are counted. */
  changed = null;
  /** The names of the rules that this page turned off all together, while none is on since; null otherwise. */
  turnedOff = null;
  /** Why the last question has no answer; null where it has. */
  error = null;
  #isShown = false;
  /** Whether the server is there, as far as the list knows. */
  #isLive = false;
  #timer = 0;
  #askedAt = -Infinity;
  /** The number of questions so far; only the answer to the last one counts. */
  #asked = 0;
  /** How often rules had applied at the last two countings of what they changed, and when the last was. */
  #counted = { hits: [], at: -Infinity };

  constructor({ isRunning, listing }) {
    super();
    this.isRunning = isRunning;
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

  /** Keeps the rules fresh from now on, or no longer. */
  show(isShown) {
    this.#isShown = isShown;
    if (isShown) this.#look();
    else this.#plan(lookEvery.beside);
  }

  /** Switches the rules of some names, or with null all, on or off; throws what the API says against it. */
  async turn(names, on) {
    // What is answered to a question of before tells the earlier state.
    this.#asked += 1;
    try {
      for (let from = 0; from === 0 || from < names?.length; from += switchedAtOnce) {
        const asked = names ? { names: names.slice(from, from + switchedAtOnce) } : { all: true };
        const answer = await api.post("rules", { ...asked, on });
        // An answer to a question of that time may tell the earlier state.
        this.#asked += 1;
        this.#take(answer, null);
      }
    } finally {
      this.#plan(lookEvery.shown);
    }
  }

  /** Turns all rules off, and keeps in mind which were on. */
  async turnOff() {
    const { rules } = await api.get("rules");
    const names = rules.filter(({ on }) => on).map(({ name }) => name);
    this.turnedOff = names;
    try {
      await this.turn(null, false);
    } catch (error) {
      this.turnedOff = null;
      throw error;
    }
  }

  /** Turns those on again that were turned off all together, as far as they are there still. */
  async turnOn() {
    const { rules } = await api.get("rules");
    const wanted = new Set(this.turnedOff);
    const names = rules.map(({ name }) => name).filter((name) => wanted.has(name));
    if (names.length) await this.turn(names, true);
    this.forget();
  }

  /** Forgets which rules were turned off all together. */
  forget() {
    this.turnedOff = null;
    this.dispatchEvent(new Event("changed"));
  }

  #plan(rest) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.isRunning && this.#isLive && !document.hidden) this.#timer = setTimeout(() => this.#look(), rest);
  }

  async #look() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.isRunning) return;
    const asked = this.#asked += 1;
    const began = this.#askedAt = performance.now();
    let [answer, failure] = [null, null];
    try {
      answer = await api.get(this.#isShown ? "rules" : "rules?limit=0");
    } catch (error) {
      failure = error;
    }
    if (asked !== this.#asked) return;
    this.#take(answer, failure);
    await this.#count();
    if (asked === this.#asked) this.#plan(Math.max(lookEvery[this.#isShown ? "shown" : "beside"], restFactor * (performance.now() - began)));
  }

  #take(answer, error) {
    this.error = error;
    if (answer) {
      this.sum = answer;
      if (answer.rules.length === answer.all) this.answer = answer;
      // Rules that somebody else turned on need no way back.
      if (answer.active > 0) this.turnedOff = null;
    }
    this.dispatchEvent(new Event("changed"));
  }

  /** Counts what rules changed, where they have applied since: what they applied to a moment ago may be recorded a moment later. */
  async #count() {
    const { hits, at } = this.#counted;
    const now = performance.now();
    if (!this.sum?.active || now - at < lookEvery.beside || hits.every((one) => one === this.sum.hits) && hits.length === 2) return;
    this.#counted = { hits: [...hits, this.sum.hits].slice(-2), at: now };
    try {
      this.changed = (await api.get("exchanges?q=is:modified&limit=0")).matched;
      this.dispatchEvent(new Event("changed"));
    } catch {
      // The next question tells of it.
    }
  }
}
