import * as time from "./campus-time.js";
import { choice, labelled, refill, searchBox, segments } from "./controls.js";
import { el, fill } from "./dom.js";
import { FoodPanel } from "./food.js";
import { counted } from "./format.js";
import { LensPlace } from "./lens-place.js";

const plans = [
  ["", "No plan"], ["BP19", "Bruin Premier 19"], ["BP14", "Bruin Premier 14"], ["Gold19", "Gold 19"], ["Gold14", "Gold 14"], ["Cub11", "Cub 11"],
];
const orders = [["hall", "Halls, then meals"], ["meal", "Meals, then halls"]];
/** Meals that take swipes. */
const swiped = new Set(["breakfast", "brunch", "lunch", "dinner", "late-night"]);
const diets = [["", "Any"], ["vegetarian", "Vegetarian"], ["vegan", "Vegan"]];

/** The captured dining menus as a tree, a day at a time: hall, meal, section, food; with the swipes of a plan that are left. */
export class Menus extends LensPlace {
  name = "menus";
  title = "Menus";
  lenses = ["cloudkit"];
  nothing = "No menus in the captures";
  hint = "Send Bruin Life's web calls to CloudKit, or any request for its dining days, through the proxy.";
  #days; #controls; #moment; #tree; #swipes; #food;
  #answer = null;
  #asked = null;
  #folded = new Set();

  build(body) {
    this.#days = el("div", {});
    this.#controls = el("div", { class: "controls" });
    this.#swipes = el("p", { class: "swipes", role: "status" });
    this.#tree = el("section", { class: "menu-tree", "aria-label": "Menus" });
    this.#food = new FoodPanel(this);
    this.#asked = null;
    const { search = "", diet = "", plan = "", by = "hall" } = this.view.details;
    this.#moment = el("input", { type: "datetime-local", onchange: ({ target }) => this.keep({ at: target.value }) });
    fill(this.#controls,
      labelled("At", this.#moment),
      labelled("Search", searchBox("Food, section or ingredient", search, (text) => this.keep({ search: text }))),
      labelled("Food", choice(diets, diet, (value) => this.keep({ diet: value }))),
      labelled("Under", choice(orders, by, (value) => this.keep({ by: value === "hall" ? "" : value }))),
      labelled("Swipes of", choice(plans, plan, (value) => this.keep({ plan: value }))));
    fill(body, this.#days, this.#controls, this.#swipes, el("div", { class: "menu-parts" }, this.#tree, this.#food.element));
  }

  async ask({ get, signal }) {
    const { search = "", diet = "", at: asked = "" } = this.view.details;
    const question = JSON.stringify([this.view.filter, search, diet, asked]);
    this.#moment.value = asked;
    if (this.#asked !== question) {
      this.#answer = await get("menus", { day: "all", search, diet, at: asked });
      this.#asked = question;
    }
    const { days, at } = this.#answer;
    const dates = days.map(({ date }) => date);
    const today = at.slice(0, 10);
    const chosen = dates.includes(this.view.details.day) ? this.view.details.day : dates.includes(today) ? today : dates[0];
    const options = dates.map((date) => [date, `${named(date)}${date === today && !asked ? ", today" : ""}`]);
    refill(this.#days, days.length > 0 && segments("Day", options, chosen, (value) => this.keep({ day: value })));
    const day = days.find(({ date }) => date === chosen);
    fill(this.#tree, day ? this.#drawDay(day) : this.emptiness());
    await this.#drawSwipes(day, signal);
  }

  #drawDay(day) {
    const byMeal = this.view.details.by === "meal";
    const served = day.meals.flatMap(({ meal, halls }) => halls.map((hall) => ({ ...hall, meal })));
    const outer = byMeal ? "meal" : "hall";
    const groups = Map.groupBy(served, (one) => one[outer]);
    return [
      el("p", { class: "quiet" },
        day.capture && ["From ", this.source(day.capture)],
        day.quickCapture && [day.capture ? ", quick service from " : "Quick service from ", this.source(day.quickCapture)],
        `. Open or closed at ${time.full(time.wall(this.#answer.at))} on campus.`),
      served.length === 0 && el("p", { class: "quiet" }, "No food of this day matches."),
      [...groups].map(([name, halls]) => this.#fold(`${outer}:${name}`, true, [
        el("b", {}, name), halls.some((hall) => hall.quick) && " quick service",
        !byMeal && halls.some(({ openNow }) => openNow) && this.#openBadge(),
      ], halls.map((hall) => this.#hall(hall, { key: `${outer}:${name}:${hall.hall}:${hall.meal}`, byMeal })))),
    ];
  }

  /** A meal of a hall: its sections, with their food. */
  #hall(hall, { key, byMeal }) {
    return this.#fold(key, false, [
      byMeal ? hall.hall : hall.meal, " ", el("span", { class: "quiet" }, hours(hall)), hall.openNow && this.#openBadge(),
      el("span", { class: "quiet" }, ` ${counted(foods(hall), "food")}`),
    ], hall.sections.map(({ section, foods }) => el("div", { class: "menu-section" },
      el("h3", {}, section), el("ul", {}, foods.map((food) => this.#item(food))))));
  }

  #item(food) {
    const show = (event) => this.#food.show(food.recipe, event.target);
    return el("li", {},
      el("button", { type: "button", class: "food", "data-recipe": food.recipe, onclick: show }, food.name), " ",
      food.type !== "Regular" && el("span", { class: `diet ${food.type.toLowerCase()}` }, food.type), food.favourite && " ★");
  }

  #openBadge() { return el("span", { class: "badge live" }, this.view.details.at ? "open then" : "open now"); }

  /** A branch that stays as its reader left it. */
  #fold(key, isOpen, head, children) {
    const details = el("details", { open: this.#folded.has(key) ? !isOpen : isOpen },
      el("summary", {}, head), el("div", { class: "under-branch" }, children));
    details.addEventListener("toggle", () => details.open === isOpen ? this.#folded.delete(key) : this.#folded.add(key));
    return details;
  }

  /** The swipes that a plan should have left after each meal of the day. */
  async #drawSwipes(day, signal) {
    const { plan = "" } = this.view.details;
    if (!plan || !day) {
      fill(this.#swipes);
      return;
    }
    const served = day.meals.filter(({ halls }) => halls.some(({ quick }) => !quick));
    const names = new Map(served.map(({ meal }) => [meal.toLowerCase().replace(" ", "-"), meal]));
    const meals = [...names.keys()].filter((meal) => swiped.has(meal));
    if (!meals.length) {
      fill(this.#swipes, "No meal of this day takes a swipe.");
      return;
    }
    try {
      const left = await Promise.all(meals.map((meal) => this.get("swipes", { plan, meal, at: `${day.date}T12:00` }, signal)));
      fill(this.#swipes, `Swipes left in week ${left[0].week}: `,
        left.map((one, index) => [index > 0 && ", ", el("b", {}, String(one.left)), ` after ${names.get(meals[index]).toLowerCase()}`]), ".",
        left[0].warning && el("span", { class: "warn" }, ` ${left[0].warning}.`));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#swipes, el("span", { class: "warn" }, error.message));
    }
  }
}

const foods = ({ sections }) => sections.reduce((sum, { foods }) => sum + foods.length, 0);
const hours = ({ opens, closes }) => opens ? `${opens.slice(11, 16)}–${closes.slice(11, 16)}` : "no hours that can be read";
const dateForm = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" };
const named = (date) => new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", dateForm);
