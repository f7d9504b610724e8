import { byId } from "./dom.js";

/** The button that opens the rail where there is no room for it beside the list. */
export class RailToggle {
  #view;
  #button = byId("rail-toggle");

  constructor({ view, counts }) {
    this.#view = view;
    this.#button.addEventListener("click", () => this.#turn(!this.#isOpen));
    counts.addEventListener("counted", () => this.#draw());
    this.#draw();
  }

  open() { this.#turn(true); }
  close() { this.#turn(false); }

  get #isOpen() { return document.body.classList.contains("rail-open"); }

  #turn(isOpen) {
    document.body.classList.toggle("rail-open", isOpen && this.#button.checkVisibility());
    this.#draw();
  }

  #draw() {
    const number = this.#view.categories.reduce((sum, name) => sum + this.#view.selected(name).length, 0);
    this.#button.textContent = this.#isOpen ? "Done" : `Filters${number ? ` (${number})` : ""}`;
    this.#button.setAttribute("aria-expanded", String(this.#isOpen));
  }
}
