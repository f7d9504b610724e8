import { choice, labelled, searchBox, segments } from "./controls.js";
import { el, fill } from "./dom.js";
import { count, counted } from "./format.js";
import { LensPlace, portion } from "./lens-place.js";

const facets = [
  ["format", "Format", "formats"], ["topic", "Topic", "topics"], ["issue", "Civic issue", "civicIssues"], ["label", "Tag", "tags"],
  ["division", "Division", "division"], ["refresh", "Refresh rate", "refreshRate"],
];
const orders = [
  ["", "Newest first"], ["title", "Title"], ["division", "Division"], ["-refreshed", "Last refreshed"], ["refreshed", "Longest not refreshed"],
];
const contents = [["", "Any"], ["stale", "Stale"], ["fresh", "Fresh"], ["retired", "Retired"], ["opened", "Opened in the app"]];
const columns = ["1", "2", "3"].map((number) => [number, number]);
/** Whether a dataset is among those that a choice of content wants. */
const isOf = {
  stale: (one) => one.content === "stale",
  fresh: (one) => one.content === "fresh",
  retired: (one) => one.retired,
  opened: (one) => one.opened,
};

/** The open-data datasets that captures show, as cards; with the counts of each facet, freshness and maps. */
export class Datasets extends LensPlace {
  name = "datasets";
  title = "Datasets";
  lenses = ["ckan", "notices"];
  nothing = "No datasets in the captures";
  hint = "Send the traffic of the open-data app, or any request to a CKAN portal, through the proxy.";
  #head; #controls; #cards;
  #answer = null;
  #maps = new Map();
  #asked = null;

  build(body) {
    this.#head = el("p", { class: "sum", role: "status" });
    this.#controls = el("div", { class: "controls" });
    this.#cards = el("section", { class: "cards", "aria-label": "Datasets" });
    this.#asked = null;
    fill(body, this.#head, this.#controls, this.#cards);
  }

  async ask({ get }) {
    const { order = "" } = this.view.details;
    const question = `${this.view.filter} ${order}`;
    if (this.#asked !== question) {
      const [answer, { maps }] = await Promise.all([get("datasets", { sort: order }), get("datasets", { map: true })]);
      this.#asked = question;
      this.#answer = answer;
      this.#maps = new Map(maps.map((map) => [map.dataset, map]));
      this.#drawControls();
    }
    this.#draw();
  }

  #drawControls() {
    const { details } = this.view;
    const selects = facets.map(([name, title, member]) => {
      const counts = new Map();
      for (const value of this.#answer.datasets.flatMap((dataset) => dataset[member])) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
      const sorted = [...counts].sort(([one, a], [other, b]) => b - a || one.localeCompare(other));
      const options = sorted.map(([value, number]) => [value, `${value} (${number})`]);
      return options.length > 0 && labelled(title, choice([["", "Any"], ...options], details[name] ?? "", (value) => this.keep({ [name]: value })));
    });
    fill(this.#controls,
      labelled("Search", searchBox("Words of title, notes or tags", details.search ?? "", (text) => this.keep({ search: text }))), selects,
      labelled("Content", choice(contents, details.show ?? "", (value) => this.keep({ show: value }))),
      labelled("Order", choice(orders, details.order ?? "", (value) => this.keep({ order: value }))),
      el("div", { class: "control" }, el("span", {}, "Columns"),
        segments("Columns", columns, details.columns ?? "3", (value) => this.keep({ columns: value }))));
  }

  #draw() {
    const { details } = this.view;
    const words = (details.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const isShown = isOf[details.show] ?? (() => true);
    const shown = this.#answer.datasets.filter((one) => isShown(one)
      && words.every((word) => [one.title, one.name, one.notes, ...one.tags].join(" ").toLowerCase().includes(word))
      && facets.every(([name, , member]) => !details[name] || [one[member]].flat().includes(details[name])));
    const stale = this.#answer.datasets.filter(({ content }) => content === "stale").length;
    const { total } = this.#answer;
    fill(this.#head, `${shown.length < total ? `${count(shown.length)} of ` : ""}${counted(total, "dataset")}, ${count(stale)} stale.`);
    this.#cards.dataset.columns = details.columns ?? "3";
    const cards = portion(shown, (dataset) => this.#card(dataset), 120);
    fill(this.#cards, total === 0 ? this.emptiness() : shown.length === 0 ? el("p", { class: "quiet" }, "No dataset matches.") : cards);
  }

  #card(one) {
    const map = this.#maps.get(one.name);
    const age = one.age && `refreshed ${one.age}`;
    const late = one.overdue ? `, overdue by ${one.overdue}` : "";
    return el("article", { class: "card", "data-dataset": one.name },
      el("h3", {}, one.title || one.name), el("p", { class: "quiet" }, [one.division, one.type].filter(Boolean).join(" · ")),
      el("p", {},
        el("span", { class: `badge content-${one.content}` }, `${one.content}${late}`),
        one.retired && el("span", { class: "badge content-stale" }, "retired"),
        " ", el("span", { class: "quiet" }, [one.refreshRate, age].filter(Boolean).join(", "))),
      one.notes && el("p", { class: "notes" }, one.notes),
      chips("Formats", one.formats), chips("Topics", one.topics), chips("Tags", one.tags),
      map && el("p", { class: "quiet" }, `Map: ${count(map.read)} of ${counted(map.total ?? map.read, "row")} read, `,
        Object.entries(map.types).map(([type, number]) => `${count(number)} ${type}`).join(", "), map.extent && `, ${degrees(map.extent)}`,
        map.pins === 0 && el("span", { class: "warn" }, ", no pin in the app (C3)")),
      map && pinless(map.withoutPin),
      one.sameTitle.length > 0 && el("p", { class: "warn" }, `Has its title in common with ${one.sameTitle.join(", ")} (C4).`),
      one.resources.length > 0 && el("details", {}, el("summary", {}, counted(one.resources.length, "resource")),
        el("table", { class: "fields" }, el("tbody", {}, one.resources.map(({ name, format, records }) => el("tr", {},
          el("th", { scope: "row" }, format || "?"), el("td", {}, name),
          el("td", { class: "number" }, records === null ? "" : counted(records, "row"))))))),
      el("p", { class: "quiet" }, "From ", this.source(one.exchange), one.licence && `, licence ${one.licence}`));
  }
}

const chips = (label, words) => words.length > 0 && el("ul", { class: "words", "aria-label": label }, words.map((word) => el("li", {}, word)));

/** The rows of a map that have no pin: how many and which, behind their number where they are many. */
function pinless(reasons) {
  const rows = reasons.flatMap((one) => one.rows).sort(([one], [other]) => one - other);
  if (!rows.length) return null;
  const head = `${counted(reasons.reduce((sum, one) => sum + one.count, 0), "row")} without a pin`;
  const numbers = rows.map(([first, last]) => first === last ? first : `${first}–${last}`).join(", ");
  if (rows.length <= 20) return el("p", { class: "quiet" }, `${head}: ${numbers}`);
  return el("details", {}, el("summary", {}, head), el("p", {}, numbers));
}

/** `43.61–43.80° N, 79.12–79.58° W`. */
function degrees([west, south, east, north]) {
  const span = (low, high, positive, negative) => {
    const [one, other] = low < 0 && high <= 0 ? [-high, -low] : [low, high];
    return `${one.toFixed(2)}–${other.toFixed(2)}° ${low < 0 && high <= 0 ? negative : positive}`;
  };
  return `${span(south, north, "N", "S")}, ${span(west, east, "E", "W")}`;
}
