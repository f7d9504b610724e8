import { stride } from "./pages.js";

// Rows before those in sight, and after them, that are asked for around a place that is gone to; and so many held on either side that no more are
// asked for.
const before = 60;
const after = 120;
const enough = 300;
// Milliseconds between two places asked for while the thumb is dragged.
const jumpEvery = 40;

/** Fetches the rows that a list needs in sight, one question at a time. */
export class Supply {
  /** The source of the rows; null until there is a list. */
  pages = null;
  #held;
  #on;
  #asking = null;
  /** The time of the last question for a jump. */
  #jumped = 0;

  /** `on`: `draw()` when rows came, `shift(rows)` when so many came above what is in sight, `refresh()` to be asked again, `refused(error)`. */
  constructor(held, on) { [this.#held, this.#on] = [held, on]; }

  /** Stops the work that is under way. */
  stop() {
    this.#asking?.controller.abort();
    this.#asking = null;
  }

  /** Asks for the rows of a range of places that are not held; an open question for other places is given up. */
  need(first, end) {
    if (!this.pages) return;
    const held = this.#held;
    if (!held.covers(first, end)) {
      const isUnderWay = this.#asking && this.#asking.first <= first && this.#asking.end >= end;
      if (!isUnderWay) this.#jump(first, end);
      return;
    }
    if (this.#asking) return;
    if (!held.isLast && held.end - end < enough) this.#goOn();
    else if (!held.isFirst && first - held.start < enough) this.#goBack();
  }

  #jump(first, end) {
    if (this.pages.order !== null && !this.pages.buckets) {
      // The places of numbers are not known yet; rows next to those held need not wait for them.
      if (!this.#asking && !this.#held.isLast && first <= this.#held.end) this.#goOn();
      return;
    }
    const rest = this.#jumped + jumpEvery - performance.now();
    if (rest > 0) {
      setTimeout(() => this.#on.refresh(), rest);
      return;
    }
    this.#jumped = performance.now();
    const [from, to] = [Math.max(0, first - before), Math.min(this.#held.length, end + after)];
    this.ask({ first: from, end: to }, async (signal) => {
      const answer = await this.pages.around(from, to, { signal });
      return () => {
        // The buckets may be a moment old; the rows in sight stay in their places.
        this.#held.replace(answer.start, answer.rows, answer);
        this.#on.draw();
      };
    });
  }

  #goOn() {
    const last = this.#held.rows.at(-1);
    const place = this.#held.end - 1;
    this.ask({ first: this.#held.start, end: this.#held.end + stride }, async (signal) => {
      const { rows, isLast } = await this.pages.after(last, { signal, place });
      return () => {
        if (this.#held.rows.at(-1) !== last) return;
        this.#held.append(rows, isLast);
        this.#on.draw();
      };
    });
  }

  #goBack() {
    const first = this.#held.rows[0];
    const place = this.#held.start;
    this.ask({ first: this.#held.start - stride, end: this.#held.end }, async (signal) => {
      const { rows, isFirst } = await this.pages.before(first, { signal, place });
      return () => {
        if (this.#held.rows[0] !== first) return;
        const wrong = this.#held.prepend(rows, isFirst);
        if (wrong) this.#on.shift(wrong);
        else this.#on.draw();
      };
    });
  }

  /** Asks a question in place of the open one; calls the function that it returns, unless a later question or list overtook it. */
  async ask(range, question) {
    this.#asking?.controller.abort();
    const asking = { ...range, controller: new AbortController() };
    this.#asking = asking;
    const pages = this.pages;
    try {
      const take = await question(asking.controller.signal);
      if (this.#asking !== asking || this.pages !== pages) return;
      this.#asking = null;
      take();
    } catch (error) {
      if (this.#asking === asking) this.#asking = null;
      if (error.name !== "AbortError") this.#on.refused(error);
    }
  }
}
