import { title } from "./address.js";
import { byId, el, fill } from "./dom.js";
import { count, noun } from "./format.js";

/**
 * What the filter is made of, a chip for each term and each selection, and what all of it says in English; the totals beside.
 *
 * Over the list the line has its room before there is a filter: a click in the rail or on a row moves neither of them away from the pointer.
 */
export class Chips {
  #view;
  #reading;
  #counts;
  #choices;
  #search;
  #searches;

  constructor({ view, reading, counts, choices, search, searches }) {
    this.#view = view;
    this.#reading = reading;
    this.#counts = counts;
    this.#choices = choices;
    this.#search = search;
    this.#searches = searches;
    reading.addEventListener("read", () => this.#draw());
    counts.addEventListener("counted", () => this.#drawTotals());
    view.addEventListener("place", () => this.#drawLine());
    counts.addEventListener("counting", () => { byId("totals").textContent = counts.percent ? `counting… ${counts.percent} %` : "counting…"; });
    this.#draw();
  }

  #drawTotals() {
    const { total, matched, truncated, searchedInPart } = this.#counts;
    const shown = matched === total ? count(total) : `${count(matched)} of ${count(total)}`;
    const what = ` ${noun(total, "exchange")}`;
    fill(byId("totals"), shown, el("span", { class: "what" }, what), truncated && ", incomplete",
      searchedInPart > 0 && `, ${count(searchedInPart)} searched in part`);
  }

  #draw() {
    const view = this.#view;
    const place = byId("chips");
    const focused = place.contains(document.activeElement) ? [...place.children].indexOf(document.activeElement.closest("#chips > *")) : -1;
    const chips = [
      ...this.#reading.terms.map((term) => this.#term(term)),
      ...view.categories.flatMap((name) => view.selected(name).map((value) => this.#selection(name, value))),
      view.since && chip("Since", view.since, { remove: () => view.change({ since: "" }) }),
      view.before && chip("Before", view.before, { remove: () => view.change({ before: "" }) }),
    ].filter(Boolean);
    const isAny = chips.length > 0;
    fill(byId("chips"), chips,
      isAny && el("button", { type: "button", class: "clear", id: "save-search", onclick: () => this.#searches.save(view) }, "Save search"),
      chips.length > 1 && el("button", { type: "button", class: "clear", onclick: () => view.clear() }, "Clear all"));
    const { sentence } = this.#reading;
    const says = sentence ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.` : isAny ? "" : "Nothing is filtered.";
    byId("meaning").textContent = byId("meaning").title = says;
    this.#drawLine();
    // The focus stays among the chips when its own is gone, and goes to the box when none is left.
    if (focused < 0 || document.activeElement !== document.body) return;
    const next = byId("chips").children[Math.min(focused, chips.length - 1)]?.querySelector("button");
    (next ?? byId("query")).focus();
  }

  #drawLine() { byId("reading").hidden = this.#view.place !== "exchanges" && !byId("chips").hasChildNodes(); }

  #term(term) {
    return chip("", term.text, {
      title: term.sentence, isNegated: term.negated,
      edit: () => this.#search.edit(term),
      negate: () => this.#choices.replace(term, term.negation),
      remove: () => this.#choices.replace(term, ""),
    });
  }

  #selection(name, value) {
    return chip(title(name), value, {
      negate: () => this.#choices.exclude(name, value),
      remove: () => this.#view.select(name, this.#view.selected(name).filter((one) => one !== value)),
    });
  }
}

function chip(name, value, { title: hint = null, isNegated = false, edit = null, negate = null, remove }) {
  const spoken = `${name} ${value}`.trim();
  const text = [name && el("span", { class: "quiet" }, name, " "), value];
  return el("span", { class: `chip${isNegated ? " negated" : ""}`, title: hint },
    edit ? el("button", { type: "button", class: "edit", "aria-label": `Edit ${spoken}`, onclick: edit }, text) : el("span", { class: "text" }, text),
    negate && el("button", {
      type: "button", class: "negate", "aria-label": `Turn round ${spoken}`, "aria-pressed": String(isNegated), onclick: negate,
    }, "not"),
    el("button", { type: "button", class: "remove", "aria-label": `Remove ${spoken}`, onclick: remove }, "✕"));
}
