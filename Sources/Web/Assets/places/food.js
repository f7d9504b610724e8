import { labelled } from "./controls.js";
import { el, fill } from "./dom.js";

/** A food beside the menus: its ingredients, and its share of a day's needs, true and as the app shows it. */
export class FoodPanel {
  element = el("aside", { class: "food-panel", "aria-label": "Chosen food", hidden: true });
  #place;
  #recipe = "";
  #servings = 1;
  #from = null;
  #asking = new AbortController();

  constructor(place) { this.#place = place; }

  /** Shows a food; the focus goes back to where it came from when it is closed. */
  async show(recipe, from) {
    [this.#recipe, this.#from] = [recipe, from];
    await this.#draw();
    this.element.querySelector("button")?.focus();
  }

  async #draw() {
    this.element.hidden = false;
    // Only the answer to the last question is shown.
    this.#asking.abort();
    const { signal } = this.#asking = new AbortController();
    try {
      const food = await this.#place.get("food", { food: this.#recipe, servings: this.#servings }, signal);
      if (signal.aborted) return;
      const servings = el("input", { type: "number", min: 0, max: 16, value: this.#servings, onchange: () => {
        this.#servings = Math.min(16, Math.max(0, Number(servings.value) || 0));
        this.#draw();
      } });
      fill(this.element,
        el("header", {}, el("h3", {}, food.name), el("button", {
          type: "button", class: "button small", "aria-label": "Close the food", onclick: () => this.#close(),
        }, "✕")),
        el("p", { class: "quiet" }, `${food.type}, recipe ${food.recipe}`), food.description && el("p", {}, food.description),
        food.ingredients && el("p", {}, food.ingredients),
        labelled("Servings", servings),
        el("table", { class: "fields nutrition" },
          el("thead", {}, el("tr", {}, ["nutrient", "measure", "of a day", "in the app"].map((name) => el("th", { scope: "col" }, name)))),
          el("tbody", {}, food.nutrition.map((line) => this.#line(line)))),
        el("p", { class: "quiet" },
          food.places.map(({ date, meal, halls }) => `${date ?? "quick service"} ${meal}: ${halls.join(", ")}`).join(" · ")));
    } catch (error) {
      if (signal.aborted) return;
      fill(this.element, el("p", { class: "problem" }, error.message),
        el("button", { type: "button", class: "button small", onclick: () => this.#close() }, "Close"));
    }
  }

  #line({ nutrient, measure, percent, share, appPercent, ring }) {
    const circle = percent === null ? null : el("span", { class: "share", "aria-hidden": "true" });
    circle?.style.setProperty("--share", `${Math.min(100, ring ?? percent)}%`);
    const isOther = percent !== null && appPercent !== percent;
    return el("tr", {}, el("th", { scope: "row" }, nutrient), el("td", {}, measure),
      el("td", {}, circle, share ?? "–"), el("td", { class: isOther ? "warn" : "" }, isOther ? `${appPercent} %` : ""));
  }

  #close() {
    this.#asking.abort();
    this.element.hidden = true;
    this.#from?.focus();
  }
}
