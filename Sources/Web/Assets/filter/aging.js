import { ages, isAge, moment } from "./slots.js";

// Looks in the length of a window of time that counts back from now for what has left it, and milliseconds between two at least and at most.
const looks = 60;
const lookEvery = { least: 1_000, most: 60_000 };
// Milliseconds between two at least where the server has to be asked.
const askEvery = 5_000;

/** Tells what time changes under a filter of which a time counts back from now: no change of an exchange tells of it. */
export class Aging {
  #view;
  #on;
  #timer = 0;

  /** `on`: `isReady()`; `passed(moment)`, before which nothing is wanted any more; `unknown()`, where only the server can say what has changed. */
  constructor(view, on) { [this.#view, this.#on] = [view, on]; }

  /** Looks now and then, as long as the filter is the present one; never where none of its times counts back from now. */
  follow() {
    clearTimeout(this.#timer);
    const { since, text } = this.#view;
    const written = ages(text);
    const all = isAge(since) ? [since, ...written] : written;
    if (!all.length) return;
    const shortest = Math.min(...all.map((one) => Date.now() - moment(one)));
    const every = Math.min(lookEvery.most, Math.max(written.length ? askEvery : lookEvery.least, shortest / looks));
    this.#timer = setTimeout(() => {
      this.follow();
      if (document.hidden || !this.#on.isReady()) return;
      // What a query text means for a row is for the server to say.
      if (written.length) this.#on.unknown();
      else this.#on.passed(moment(since));
    }, every);
  }
}
