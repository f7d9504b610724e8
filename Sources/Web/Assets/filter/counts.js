import * as api from "./api.js";

// Milliseconds between two countings of a list that changes, and at least so many times as long as the last took.
const countEvery = 250;
const restFactor = 3;
// Milliseconds after which a counting says that it is under way.
const patience = 150;

/** How many exchanges the filter selects, and the counts of each category. Says `counted`, `counting` and `failed`. */
export class Counts extends EventTarget {
  total = 0;
  matched = 0;
  /** Whether something passed that could not be recorded. */
  truncated = false;
  searchedInPart = 0;
  /** Lists of {value, count, selected}, by category. */
  facets = {};
  /** How far the counting under way is; null when none is. */
  percent = null;
  error = null;
  #view;
  #timer = 0;
  #next = 0;
  /** The counting of a list that changed, while it is under way. */
  #counting = null;
  /** Whether something changed since the question that is under way was asked. */
  #isStale = false;
  /** The number of questions so far, and the number of the question whose answer is shown. */
  #asked = 0;
  #shown = 0;

  constructor(view) {
    super();
    this.#view = view;
    view.addEventListener("filter", () => this.#counting?.abort());
  }

  /** Counts, saying how far it is when that takes long. */
  async count({ signal }) {
    const asked = this.#asked += 1;
    const say = (percent) => {
      this.percent = percent;
      this.#tell("counting");
    };
    const late = setTimeout(() => say(0), patience);
    try {
      this.#take(asked, await api.counts(this.#view.filter, { signal, tell: say }));
    } finally {
      clearTimeout(late);
      this.percent = null;
    }
  }

  /** Counts again soon, at most a few times a second however much changes. */
  again() {
    // What changes while the question is under way may not be in its answer.
    this.#isStale = this.#counting !== null;
    if (this.#timer) return;
    this.#timer = setTimeout(async () => {
      const began = performance.now();
      const { signal } = this.#counting = new AbortController();
      const asked = this.#asked += 1;
      try {
        this.#take(asked, await api.get(`exchanges?${this.#view.filter}&limit=0`, { signal }));
      } catch (error) {
        if (!signal.aborted) {
          this.error = error;
          this.#tell("failed");
        }
      }
      const now = performance.now();
      this.#next = now + Math.max(countEvery, restFactor * (now - began));
      this.#counting = null;
      this.#timer = 0;
      if (this.#isStale) this.again();
    }, Math.max(0, this.#next - performance.now()));
  }

  #take(asked, { total, matched, truncated, searchedInPart = 0, facets }) {
    // The question of a load may be answered after one that was asked later.
    if (asked < this.#shown) return;
    this.#shown = asked;
    Object.assign(this, { total, matched, truncated, searchedInPart, facets });
    this.#tell("counted");
  }

  #tell(name) { this.dispatchEvent(new Event(name)); }
}
