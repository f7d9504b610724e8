import { byId, fill } from "./dom.js";
import { link } from "./links.js";

/**
 * Shows the part of the page that the address names: the list of exchanges, or one of the places beside it.
 *
 * A place is {title, open, close}: `open` returns what fills the page while the address names it, `close` lets go of it. One with `update` takes
 * changes of the filter and of its own part of the address by that, in place of being opened anew. One with `lenses` is named in the bar where the
 * store has exchanges of them, one that `isQuiet` only while it is open.
 */
export class Places {
  #view;
  #places;
  #counts;
  #open = null;
  #drawn = "";

  constructor({ view, counts, places }) {
    this.#view = view;
    this.#counts = counts;
    this.#places = places;
    view.addEventListener("place", () => this.#show());
    view.addEventListener("filter", () => this.#open?.update?.());
    counts?.addEventListener("counted", () => this.#drawLinks());
    this.#show();
  }

  #show() {
    const next = this.#places[this.#view.place] ?? null;
    this.#drawLinks();
    if (next && next === this.#open && next.update) {
      next.update();
      return;
    }
    this.#open?.close();
    if (this.#open && !next) document.title = "inspect";
    this.#open = next;
    byId("main").hidden = this.#open !== null;
    byId("place").hidden = this.#open === null;
    byId("strip").classList.toggle("away", this.#open !== null);
    fill(byId("place"), this.#open?.open());
  }

  /** Every place of captures as an entry of a menu, whatever the store holds. */
  items() {
    return Object.entries(this.#places).filter(([name]) => !["setup", "manual"].includes(name)).map(([name, { title }]) => {
      const change = { place: name, details: {}, chosen: null };
      return { label: title, href: this.#view.href(change), run: () => this.#view.change(change) };
    });
  }

  #drawLinks() {
    const { place } = this.#view;
    const known = new Set((this.#counts?.facets?.lens ?? []).map(({ value }) => value));
    const isOffered = ([name, { lenses, isQuiet }]) => name === place || (!isQuiet && (!lenses || lenses.some((lens) => known.has(lens))));
    const offered = [["exchanges", { title: "Exchanges" }], ...Object.entries(this.#places).filter(isOffered)];
    const told = JSON.stringify([place, this.#view.filter, offered.map(([name]) => name)]);
    if (told === this.#drawn) return;
    this.#drawn = told;
    const entry = ([name, { title }]) =>
      link(this.#view, { place: name, details: {}, chosen: null }, { "aria-current": name === place && "page" }, title);
    fill(byId("places"), offered.length > 1 && offered.map(entry));
    // Where there is no room for all, the present one is in sight.
    byId("places").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
