import * as api from "./api.js";

/** What a filter says, as the API's parser reads it: its sentence and terms, or where it cannot be read. */
export const read = (filter, { signal } = {}) => api.get(`filter?${filter}`, { signal });

const isNumber = (word) => /^(\d+(\.\.\d*)?|\.\.\d+)$/.test(word);

/** A text that elsewhere would name exchanges, being numbers alone, as the text that it is here. */
const quoted = (text) => {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.length && words.every(isNumber) ? text.trim().split(/\s+/).map((word) => `"${word}"`).join(" ") : text;
};

/** The whole filter of a view as one query text; the typed text stays as it is, and so do times that count back from now. */
export async function wholeText(view) {
  const filter = new URLSearchParams(view.filter);
  for (const name of ["since", "before", "q"]) filter.delete(name);
  const { text } = filter.size ? await read(filter) : { text: "" };
  const isList = /(^|\s)or(\s|$)/i.test(view.text) && (text || view.since || view.before);
  const words = isList ? `(${view.text})` : view.text;
  return quoted([text, words, view.since && `since:${view.since}`, view.before && `before:${view.before}`].filter(Boolean).join(" "));
}

/** The meaning of the address's filter. Says `read` when there is a new one. */
export class Reading extends EventTarget {
  /** The filter in English, without a full stop; empty while nothing is left out. */
  sentence = "";
  /** The terms of the query text: {text, from, to, sentence, negated, negation, facet, parts}. */
  terms = [];
  /** The mistake in the query text, and its place in UTF-16 code units from 0; null when the text can be read. */
  error = null;
  offset = null;
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
    const take = ({ sentence, error = null, offset = null, terms: read }) => {
      if (filter !== this.#view.filter) return this.#answer;
      // A text that cannot be read is one term, so that it can be removed.
      const terms = text && !read.length ? [whole(text)] : read;
      Object.assign(this, { sentence: sentence ?? "", error, offset, terms });
      this.dispatchEvent(new Event("read"));
      return terms;
    };
    if (!filter) this.#answer = Promise.resolve(take({ sentence: "", terms: [] }));
    // Rows and counts are asked for first, because a person waits for them.
    else this.#answer = new Promise((resolve) => setTimeout(resolve)).then(() => read(filter)).then(take, () => take({ sentence: "", terms: [] }));
  }
}

const whole = (text) => ({
  text, from: 0, to: text.length, sentence: text, negated: false, negation: text, facet: null, parts: [],
});
