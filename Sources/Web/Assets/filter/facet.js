import { title } from "./address.js";
import { el } from "./dom.js";
import { FacetValue } from "./facet-value.js";
import { count } from "./format.js";

/** Values of a category that are drawn before the rest is asked for. */
const shortLength = { code: 24, method: 16 };
const usualLength = 10;
/** Values from which on there is a box to find one among them. */
const findFrom = 20;
/** Values drawn at most: of more, the rest is found by typing. */
const longest = 200;

/** One category of the rail: its values with counts, the long ones folded and searched. */
export class Facet {
  isFolded;
  /** Called with whether it is folded, when a person folds or unfolds it. */
  onfold = () => {};
  #choices;
  #values = [];
  #rows = new Map();
  #order = [];
  /** Whether the most frequent values come first. */
  #isByCount = false;
  #isWhole = false;
  #short;
  #wanted = "";
  #last = null;
  #isHeld = false;
  #fold;
  #number;
  #clear;
  #find;
  #list;
  #more;

  constructor(name, { choices, isFolded }) {
    this.name = name;
    this.#choices = choices;
    this.#short = shortLength[name] ?? usualLength;
    this.isFolded = isFolded;
    const heading = title(name);
    this.#number = el("span", { class: "chosen-number" });
    this.#fold = el("button", {
      type: "button", class: "fold", "data-key": `fold ${name}`, "aria-controls": `facet-${name}`, onclick: () => this.fold(!this.isFolded),
    }, heading, this.#number);
    this.#clear = el("button", {
      type: "button", class: "clear", "aria-label": `Clear ${heading}`, "data-key": `clear ${name}`, hidden: true,
      onclick: () => choices.clear(name),
    }, "clear");
    this.#find = el("input", {
      type: "text", class: "within", hidden: true, autocomplete: "off", spellcheck: "false",
      "data-key": `within ${name}`, "aria-label": `Find in ${heading}`,
      oninput: () => {
        this.#wanted = this.#find.value.trim().toLowerCase();
        this.#draw();
      },
      onkeydown: (event) => {
        if (event.key !== "Escape" || !this.#find.value) return;
        event.stopPropagation();
        this.#find.value = this.#wanted = "";
        this.#draw();
      },
    });
    this.#list = el("div", { id: `facet-${name}`, class: "values" });
    this.#more = el("button", {
      type: "button", class: "more", "data-key": `more ${name}`, hidden: true,
      onclick: () => {
        this.#isWhole = !this.#isWhole;
        this.#draw();
      },
    });
    this.element = el("section", { role: "group", class: `facet facet-${name}`, "data-name": name, "aria-label": heading },
      el("div", { class: "heading" }, this.#fold, this.#clear), this.#find, this.#list, this.#more);
    // What the pointer is on does not move away under it while counts change.
    this.element.addEventListener("pointerenter", () => { this.#isHeld = true; });
    this.element.addEventListener("pointerleave", () => { this.#isHeld = false; });
    this.#drawFold();
  }

  /** Takes new counts; `isOther` is for those of another filter, under which other values may be the ones to show. */
  update(values = [], { isOther = false, isByCount = false } = {}) {
    if ((isOther && !this.#isInUse) || isByCount !== this.#isByCount) this.#order = [];
    this.#isByCount = isByCount;
    const isThere = new Set(values.map(({ value }) => value.toLowerCase()));
    const excluded = this.#choices.excluded(this.name).filter((value) => !isThere.has(value.toLowerCase()));
    this.#values = [...values, ...excluded.map((value) => ({ value, count: 0, selected: false }))];
    this.#draw();
  }

  /** Keeps a value of the category as the one that the Tab key comes to. */
  hold(element) {
    const row = element.closest(".value");
    if (!row) return;
    this.#last = row.dataset.value;
    this.#stop();
  }

  focus() { this.#fold.focus(); }

  fold(isFolded) {
    this.isFolded = isFolded;
    this.#drawFold();
    this.#draw();
    this.onfold(isFolded);
  }

  #drawFold() {
    this.#fold.setAttribute("aria-expanded", String(!this.isFolded));
    this.element.classList.toggle("folded", this.isFolded);
    this.#list.hidden = this.isFolded;
  }

  #draw() {
    const values = this.#values;
    const isLong = values.length > this.#short + 2;
    const isMarked = ({ value, selected }) => selected || this.#choices.isExcluded(this.name, value);
    const chosen = values.filter(isMarked).length;
    this.#number.textContent = chosen ? ` ${chosen}` : "";
    this.#clear.hidden = chosen === 0;
    this.#find.hidden = this.isFolded || (values.length < findFrom && !this.#wanted);
    this.#find.placeholder = `Find in ${count(values.length)}`;
    if (this.isFolded) {
      this.#more.hidden = true;
      return;
    }
    const found = this.#wanted ? values.filter(({ value }) => value.toLowerCase().includes(this.#wanted)) : values;
    const limit = this.#wanted || this.#isWhole || !isLong ? longest : this.#short;
    const first = new Set(this.#first(found, limit));
    const shown = this.#sorted(found.filter((value) => first.has(value) || isMarked(value)));
    const left = found.length - shown.length;
    this.#more.hidden = !isLong || Boolean(this.#wanted) || (this.#isWhole && values.length <= this.#short);
    this.#more.textContent = this.#isWhole
      ? `Show fewer${left ? `; type to find among ${count(left)} more` : ""}` : `Show all ${count(values.length)}`;
    this.#place(shown, Math.max(1, ...values.map((value) => value.count)));
  }

  /** Whether the pointer or the focus is among the values. */
  get #isInUse() { return this.#isHeld || this.#list.contains(document.activeElement); }

  /** The values there is room for: those that are shown stay, then the most frequent. By count the most frequent alone. */
  #first(values, limit) {
    if (values.length <= limit) return values;
    const stays = new Set(this.#isByCount && !this.#isInUse ? [] : this.#order);
    return values.toSorted((a, b) => stays.has(b.value) - stays.has(a.value) || b.count - a.count).slice(0, limit);
  }

  /** The values in the wanted order; while the pointer or the focus is here, as they stood, and new ones after them. */
  #sorted(values) {
    const sorted = this.#isByCount ? values.toSorted((a, b) => b.count - a.count) : values;
    if (!this.#isInUse) return sorted;
    const rank = new Map(this.#order.map((value, index) => [value, index]));
    const place = ({ value }) => rank.get(value) ?? rank.size;
    return sorted.toSorted((a, b) => place(a) - place(b));
  }

  #place(values, most) {
    const focused = this.#list.contains(document.activeElement) ? document.activeElement : null;
    this.#order = values.map(({ value }) => value);
    const wanted = new Set(this.#order);
    for (const [value, row] of this.#rows) {
      if (wanted.has(value)) continue;
      row.element.remove();
      this.#rows.delete(value);
    }
    values.forEach((value, index) => {
      let row = this.#rows.get(value.value);
      if (!row) {
        row = new FacetValue(this.name, value.value, { choices: this.#choices, values: () => this.#values });
        this.#rows.set(value.value, row);
      }
      row.update(value, most);
      const present = this.#list.children[index];
      if (present !== row.element) this.#list.insertBefore(row.element, present ?? null);
    });
    if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
    this.#stop();
  }

  #stop() {
    const stop = this.#rows.has(this.#last) ? this.#last : this.#order[0];
    for (const [value, row] of this.#rows) row.isStop = value === stop;
  }
}
