import { byId, el, fill } from "./dom.js";

/**
 * Shows the part of the page that the address names: the list of exchanges, or one of the places beside it.
 *
 * A place is {title, open, close}: `open` returns what fills the page while the address names it, `close` lets go of it.
 */
export class Places {
  #view;
  #places;
  #open = null;

  constructor({ view, places }) {
    this.#view = view;
    this.#places = places;
    view.addEventListener("place", () => this.#show());
    this.#show();
  }

  #show() {
    const { place } = this.#view;
    this.#open?.close();
    this.#open = this.#places[place] ?? null;
    byId("main").hidden = this.#open !== null;
    byId("place").hidden = this.#open === null;
    fill(byId("place"), this.#open?.open());
    const titles = { exchanges: "Exchanges", ...Object.fromEntries(Object.entries(this.#places).map(([name, { title }]) => [name, title])) };
    fill(byId("places"), Object.keys(titles).length > 1 && Object.entries(titles).map(([name, title]) => this.#link(name, title, name === place)));
  }

  #link(name, title, isHere) {
    const change = { place: name, details: {}, chosen: null };
    return el("a", {
      href: this.#view.href(change), "aria-current": isHere && "page",
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.#view.change(change);
      },
    }, title);
  }
}
