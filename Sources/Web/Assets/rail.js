import { el, fill } from "./dom.js";
import { title } from "./address.js";
import { count, toneOfCode } from "./format.js";

const shortLength = 10;

/** Categories that are left out where no exchange has a value. */
const optional = new Set(["tag", "client", "lens"]);
const isEmpty = (name, values) => optional.has(name) && values.every(({ value }) => value === "none");

/** Whether a selection may stand for several values. */
const isPattern = (name, text) => name === "host" || name === "type" || (["tag", "lens"].includes(name) && text.includes("*"))
  || (name === "client" && !/\s/.test(text)) || (name === "code" && /[x<>=-]/.test(text));

/** The rail of categories: every value with its count, several to be chosen in each. */
export class Rail {
  #element;
  #view;
  #counts;
  #unfolded = new Set();
  #drawn = "";

  constructor(element, { view, counts }) {
    this.#element = element;
    this.#view = view;
    this.#counts = counts;
    counts.addEventListener("counted", () => this.#draw());
  }

  /** Draws the counts; leaves the focus on the value it was on. */
  #draw() {
    const counts = this.#counts.facets;
    const text = JSON.stringify(counts) + [...this.#unfolded];
    if (text === this.#drawn) return;
    this.#drawn = text;
    const focused = document.activeElement?.closest("#rail") ? document.activeElement.dataset.key : null;
    const groups = Object.keys(counts).filter((name) => counts[name].length && !isEmpty(name, counts[name])).map((name) => this.#group(name, title(name), counts[name]));
    fill(this.#element, groups.length ? groups : el("p", { class: "quiet" }, "Codes, methods, hosts and the rest are counted here from the first exchange on."));
    if (focused) [...this.#element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
  }

  /** Adds or takes away one value; taking away one that a class selected leaves the others of the class. */
  #toggle(name, value, isWanted, values) {
    const present = this.#view.selected(name);
    const isIt = (one) => one.toLowerCase() === value.toLowerCase();
    if (isWanted) this.#view.select(name, [...present, value]);
    else if (present.some(isIt) && !present.some((one) => isPattern(name, one))) this.#view.select(name, present.filter((one) => !isIt(one)));
    else this.#view.select(name, values.filter((one) => one.selected && one.value !== value).map((one) => one.value));
  }

  #group(name, title, values) {
    const isLong = values.length > shortLength + 2;
    const isUnfolded = !isLong || this.#unfolded.has(name);
    const shown = isUnfolded ? values : values.filter((value, index) => index < shortLength || value.selected);
    const most = Math.max(1, ...values.map((value) => value.count));
    const hasSelection = values.some((value) => value.selected);
    return el("fieldset", { class: `facet facet-${name}` },
      el("legend", {}, title),
      hasSelection && el("button", {
        type: "button", class: "clear", "aria-label": `Clear ${title}`, "data-key": `clear ${name}`, onclick: () => this.#view.select(name, []),
      }, "clear"),
      shown.map((value) => this.#value(name, value, values, most)),
      isLong && el("button", {
        type: "button", class: "more", "data-key": `more ${name}`,
        onclick: () => {
          if (!this.#unfolded.delete(name)) this.#unfolded.add(name);
          this.#draw();
        },
      }, isUnfolded ? "Show fewer" : `Show all ${count(values.length)}`),
    );
  }

  #value(name, value, values, most) {
    const box = el("input", {
      type: "checkbox", checked: value.selected, "data-key": `${name} ${value.value}`,
      onchange: () => this.#toggle(name, value.value, box.checked, values),
    });
    const meter = el("span", { class: "meter", "aria-hidden": "true" });
    meter.style.width = `${(100 * value.count) / most}%`;
    return el("label", { class: `value${value.count === 0 ? " zero" : ""}`, title: value.value },
      meter, box,
      name === "code" && el("span", { class: `dot ${toneOfCode(value.value)}`, "aria-hidden": "true" }),
      el("span", { class: "name" }, value.value),
      el("span", { class: "count" }, count(value.count)),
    );
  }
}
