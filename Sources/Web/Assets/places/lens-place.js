import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { exchangeLink, link } from "./links.js";

// Milliseconds after which an answer that is not there yet is said to be on its way.
const patience = 150;

/** An answer that says why the captures hold nothing for a place. */
class Absence extends Error {}

/**
 * A place of the page that draws an answer of the API.
 *
 * A subclass has `name`, `title`, the lenses that it shows (`lenses`), a sentence on how to capture it (`hint`), and `build`, which makes the
 * elements once, and `ask`, which gets an answer and draws it.
 */
export class LensPlace {
  /** The lenses whose exchanges it shows; it is offered where the store has some. */
  lenses = null;
  view;
  #element = null;
  #body = null;
  #notice = null;
  #abort = new AbortController();

  constructor({ view }) { this.view = view; }

  /** The element that fills the page while the address names this place. */
  open() {
    this.#notice = el("div", { class: "place-notice", role: "status" });
    this.#body = el("div", { class: "place-body" });
    this.#element = el("article", { class: `page ${this.name}` },
      el("header", { class: "place-head" }, el("h2", { tabindex: "-1" }, this.title)), this.#notice, this.#body);
    document.title = `${this.title} · inspect`;
    this.build(this.#body);
    this.load();
    return this.#element;
  }

  /** Stops the work that is under way. */
  close() {
    this.#abort.abort();
    this.#element = null;
  }

  /** Follows a change of the address. */
  update() { this.load(); }

  /** Asks and draws anew, or says that there is nothing to draw. */
  async load() {
    this.#abort.abort();
    const abort = this.#abort = new AbortController();
    const late = setTimeout(() => this.#say(el("p", { class: "quiet" }, "Reading the captures…")), patience);
    try {
      await this.ask({
        signal: abort.signal,
        get: (name, parameters = {}) => this.get(name, parameters, abort.signal),
      });
      if (abort.signal.aborted) return;
      this.#say(this.#filterLine());
      this.#body.hidden = false;
    } catch (error) {
      if (error.name === "AbortError" || abort.signal.aborted) return;
      const isAbsent = error instanceof Absence;
      this.#body.hidden = isAbsent;
      this.#say(isAbsent ? this.#absence(error.message) : el("p", { class: "problem" }, error.message), this.#filterLine());
    } finally {
      clearTimeout(late);
    }
  }

  /** The API's answer for a place under the page's filter; `check`, which has an address of its own, counts as a place. */
  async get(name, parameters, signal) {
    const known = Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false);
    const own = new URLSearchParams(known.map(([key, value]) => [key, value === true ? "true" : value])).toString();
    const answer = await api.get(`${name === "check" ? "" : "places/"}${name}?${[this.view.filter, own].filter(Boolean).join("&")}`, { signal });
    if (answer.absent) throw new Absence(answer.absent);
    return answer;
  }

  /** Changes this place's own part of the address. */
  keep(details, { replacing = true } = {}) {
    const next = { ...this.view.details, ...details };
    for (const [name, value] of Object.entries(next)) if (!value) delete next[name];
    this.view.change({ details: next }, { replacing });
  }

  /** `exchange 47`, as a link to what the lens reads in it. */
  source(id, where = { tab: "decoded" }) { return exchangeLink(this.view, id, where); }

  /** The text where the captures hold nothing to draw. */
  emptiness() {
    return el("p", { class: "quiet" }, `${this.nothing}. ${this.hint} `, el("code", {}, "inspect demo"), " shows it with traffic of its own.");
  }

  #say(...children) { if (this.#notice) fill(this.#notice, ...children); }

  #absence(sentence) {
    return el("section", { class: "absent" },
      el("h3", {}, this.nothing), el("p", {}, `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.?!]$/.test(sentence) ? "" : "."}`),
      this.hint && el("p", { class: "quiet" }, this.hint, " ", el("code", {}, "inspect demo"), " shows it with traffic of its own."));
  }

  #filterLine() {
    if (!this.view.filter) return null;
    return el("p", { class: "under" }, "This place reads only the exchanges that the list's filter selects. ",
      link(this.view, { selections: {}, text: "", since: "", before: "" }, { class: "button small" }, "Read everything"));
  }
}

/** Draws the first of many, and the rest when it is asked for: `length` at a time, after `first`. */
export function portion(items, draw, length = 200, first = length) {
  const list = el("div", { class: "portion" });
  const add = (from, to) => {
    list.append(...items.slice(from, to).map(draw));
    const rest = items.length - to;
    if (rest <= 0) return;
    const more = el("button", { type: "button", class: "button small", onclick: () => {
      more.remove();
      add(to, to + length);
    } }, `Show more of ${rest.toLocaleString("en")}`);
    list.append(more);
  };
  add(0, first);
  return list;
}
