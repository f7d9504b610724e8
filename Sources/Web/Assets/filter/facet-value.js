import { title } from "./address.js";
import { el } from "./dom.js";
import { count, toneOfCode, valueText } from "./format.js";

/** One value of a category: a box to want it, its count, and buttons to want only it or to leave it out. */
export class FacetValue {
  #name;
  #value;
  #choices;
  #box;
  #count;
  #meter;
  #only;
  #not;

  constructor(name, value, { choices, values }) {
    this.#name = name;
    this.#value = value;
    this.#choices = choices;
    const text = valueText(name, value);
    const spoken = `${title(name)} ${text}`;
    this.#box = el("input", {
      type: "checkbox", "data-key": `${name} ${value}`,
      onchange: () => choices.toggle(name, value, this.#box.checked, values()),
    });
    this.#count = el("span", { class: "count" });
    this.#meter = el("span", { class: "meter", "aria-hidden": "true" });
    this.#only = el("button", { type: "button", class: "only", "aria-label": `Only ${spoken}`, onclick: () => choices.only(name, value) }, "only");
    this.#not = el("button", {
      type: "button", class: "not", "aria-label": `Leave out ${spoken}`, onclick: () => choices.exclude(name, value),
    }, "not");
    const label = el("label", {
      title: `${text}\nAlt-click: only this one`,
      onclick: (event) => {
        if (!event.altKey || event.target === this.#box) return;
        event.preventDefault();
        choices.only(name, value);
      },
    },
      this.#box,
      name === "code" && el("span", { class: `dot ${toneOfCode(value)}`, "aria-hidden": "true" }),
      el("span", { class: "name" }, text),
      this.#count,
    );
    this.element = el("div", { class: "value", "data-value": value }, this.#meter, label, this.#only, this.#not);
  }

  /** Whether the Tab key comes to this value. */
  set isStop(isStop) {
    for (const control of [this.#box, this.#only, this.#not]) control.tabIndex = isStop ? 0 : -1;
  }

  /** Takes a new count; `most` is that of the most frequent value. */
  update(value, most) {
    const isOut = this.#choices.isExcluded(this.#name, this.#value);
    this.#box.checked = value.selected && !isOut;
    this.#box.indeterminate = isOut;
    this.#box.setAttribute("aria-description", isOut ? "left out" : "");
    this.#not.setAttribute("aria-pressed", String(isOut));
    this.#count.textContent = count(value.count);
    this.#meter.style.width = `${(100 * value.count) / most}%`;
    this.element.classList.toggle("zero", value.count === 0);
    this.element.classList.toggle("out", isOut);
  }
}
