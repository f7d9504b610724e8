import * as api from "./api.js";

/** What a filter says, as the API's parser reads it: its sentence and terms, or where it cannot be read. */
export const read = (filter, { signal } = {}) => api.get(`filter?${filter}`, { signal });

/** What the filter of the address means. Says `read` when it is known anew. */
export class Reading extends EventTarget {
  /** In English, without a full stop; empty while nothing is left out. */
  sentence = "";
  /** As one query text, times as moments. */
  text = "";
  /** The terms of the query text: {text, from, to, sentence, negated, negation, facet, parts}. */
  terms = [];
  #view;
  #answer = Promise.resolve([]);

  constructor(view) {
    super();
    this.#view = view;
    view.addEventListener("filter", () => this.#ask());
    this.#ask();
  }

  /** The terms of the query text as it is now, once they are read. */
  known() { return this.#answer; }

  #ask() {
    const { filter, text } = this.#view;
    const take = ({ sentence, text: whole, terms }) => {
      if (filter !== this.#view.filter) return this.#answer;
      Object.assign(this, { sentence: sentence ?? "", text: whole ?? "", terms });
      this.dispatchEvent(new Event("read"));
      return terms;
    };
    if (!filter) this.#answer = Promise.resolve(take({ sentence: "", terms: [] }));
    // Rows and counts are asked for first: they are what a person waits for.
    else this.#answer = new Promise((resolve) => setTimeout(resolve)).then(() => read(filter)).then(take, () => take({ sentence: "", terms: text ? [whole(text)] : [] }));
  }
}

/** A text that could not be read, as one term that can be taken away. */
const whole = (text) => ({
  text, from: 0, to: text.length, sentence: text, negated: false, negation: text, facet: null, parts: [],
});
