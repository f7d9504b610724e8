import { el, fill } from "./dom.js";
import { Facet } from "./facet.js";
import * as preferences from "./preferences.js";

/** Categories that are left out where no exchange has a value. */
const optional = new Set(["tag", "client", "lens", "process", "rule"]);
const isEmpty = (name, values) => optional.has(name) && values.every(({ value, selected }) => value === "none" && !selected);

/** The rail of categories: every value with its count, to be wanted, alone wanted or left out. */
export class Rail {
  #element;
  #counts;
  #choices;
  #facets = new Map();
  #folded = new Set(preferences.get("rail.folded", []));
  #isByCount = preferences.get("rail.byCount", false);
  /** Whether the filter is another one than that of the counts that are drawn. */
  #isOther = false;
  #order = el("p", { class: "order" }, el("button", {
    type: "button", class: "clear", "data-key": "rail order", "aria-pressed": String(this.#isByCount), title: "Most frequent values first",
    onclick: () => this.#turn(),
  }, "Sort by count"));
  #hint = el("p", { class: "quiet" }, "Codes, methods, hosts and other categories appear here with the first exchange.");

  constructor(element, { view, counts, choices, reading }) {
    this.#element = element;
    this.#counts = counts;
    this.#choices = choices;
    view.addEventListener("filter", () => { this.#isOther = true; });
    counts.addEventListener("counted", () => {
      this.#draw({ isOther: this.#isOther });
      this.#isOther = false;
    });
    reading.addEventListener("read", () => this.#draw());
    // A value's controls are one stop of the Tab key in each category: the one that was last in use.
    element.addEventListener("focusin", ({ target }) => this.#facetOf(target)?.hold(target));
  }

  /** Puts the focus on the first value, or the one last in use. */
  focus() { this.#rows[0] && (this.#element.querySelector(".value input[tabindex='0']") ?? this.#box(this.#rows[0])).focus(); }

  /** Goes to the next value, or the one before. */
  move(step) {
    const rows = this.#rows;
    const at = rows.indexOf(document.activeElement?.closest(".value"));
    const to = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    if (to) this.#box(to).focus();
  }

  /** Goes to the first or the last value. */
  moveTo(end) {
    const row = this.#rows.at(end === "first" ? 0 : -1);
    if (row) this.#box(row).focus();
  }

  /** Wants the value in focus and no other. */
  only() { this.#withFocused((name, value) => this.#choices.only(name, value)); }

  /** Leaves the value in focus out, or no longer. */
  exclude() { this.#withFocused((name, value) => this.#choices.exclude(name, value)); }

  /** Folds the category in focus, or unfolds it. */
  fold(isFolded) {
    const facet = this.#facetOf(document.activeElement);
    if (!facet || facet.isFolded === isFolded) return;
    facet.fold(isFolded);
    facet.focus();
  }

  get #rows() { return [...this.#element.querySelectorAll(".value")].filter((row) => row.checkVisibility()); }
  #box(row) { return row.querySelector("input"); }
  #facetOf(element) { return this.#facets.get(element?.closest?.(".facet")?.dataset.name); }

  #withFocused(act) {
    const row = document.activeElement?.closest(".value");
    const facet = this.#facetOf(row);
    if (facet) act(facet.name, row.dataset.value);
  }

  /** Puts the most frequent values first, or sorts them by name again. */
  #turn() {
    this.#isByCount = !this.#isByCount;
    preferences.set("rail.byCount", this.#isByCount || null);
    this.#order.firstChild.setAttribute("aria-pressed", String(this.#isByCount));
    this.#draw();
  }

  /** Draws the counts in place, so that focus, scrolling and what the pointer is on stay. */
  #draw({ isOther = false } = {}) {
    const counts = this.#counts.facets;
    const names = Object.keys(counts).filter((name) => (counts[name].length && !isEmpty(name, counts[name])) || this.#choices.excluded(name).length);
    for (const [name, facet] of this.#facets) {
      if (names.includes(name)) continue;
      facet.element.remove();
      this.#facets.delete(name);
    }
    if (!names.length) return fill(this.#element, this.#hint);
    this.#hint.remove();
    let after = null;
    for (const name of names) {
      const facet = this.#facets.get(name) ?? this.#begin(name);
      facet.update(counts[name], { isOther, isByCount: this.#isByCount });
      const next = after ? after.nextSibling : this.#element.firstChild;
      if (next !== facet.element) this.#element.insertBefore(facet.element, next);
      after = facet.element;
    }
    if (this.#element.lastChild !== this.#order) this.#element.append(this.#order);
  }

  #begin(name) {
    const facet = new Facet(name, { choices: this.#choices, isFolded: this.#folded.has(name) });
    facet.onfold = (isFolded) => {
      if (isFolded) this.#folded.add(name);
      else this.#folded.delete(name);
      preferences.set("rail.folded", [...this.#folded]);
    };
    this.#facets.set(name, facet);
    return facet;
  }
}
