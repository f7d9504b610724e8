import { byId, el, fill } from "./dom.js";
import { count } from "./format.js";

/** The bar under the list with the number of marked rows and the buttons that act on them. */
export class MarkedBar {
  #listing;
  #offers = [];

  constructor({ listing }) {
    this.#listing = listing;
    listing.addEventListener("marked", () => this.draw());
    this.draw();
  }

  /** Adds a button for so many marked rows: `run` gets their ids, the smallest first. */
  offer({ title, least = 1, most = Infinity, run }) {
    this.#offers.push({ title, least, most, run });
    this.draw();
  }

  draw() {
    const ids = this.#listing.marked;
    const bar = byId("marked");
    bar.hidden = ids.length === 0;
    const fitting = this.#offers.filter(({ least, most }) => ids.length >= least && ids.length <= most);
    fill(bar, el("span", { role: "status" }, `${count(ids.length)} marked`),
      fitting.map(({ title, run }) => el("button", { type: "button", class: "button small", onclick: () => run(ids) }, title)),
      el("button", { type: "button", class: "button small", onclick: () => this.#listing.unmark() }, "Clear"));
  }
}
