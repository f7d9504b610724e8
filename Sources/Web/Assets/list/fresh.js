import { byId } from "./dom.js";
import { count } from "./format.js";

// Exchanges that are counted while they wait.
const countedLimit = 100_000;

/** New exchanges that wait to be let into the list, by number, and the button that says how many and lets them in. */
export class Fresh {
  #ids = new Set();
  /** Whether more wait than are counted. */
  #isCut = false;
  #button = byId("fresh");

  constructor({ letIn }) { this.#button.addEventListener("click", letIn); }

  /** How many of those that wait are counted. */
  get size() { return this.#ids.size; }
  get isCut() { return this.#isCut; }
  get isEmpty() { return this.#ids.size === 0 && !this.#isCut; }

  has(id) { return this.#ids.has(id); }
  delete(id) { this.#ids.delete(id); }
  [Symbol.iterator]() { return this.#ids.values(); }

  /** Has one more wait. */
  add(id) {
    if (this.#ids.size < countedLimit) this.#ids.add(id);
    else this.#isCut = true;
  }

  /** Takes these for all that wait, or for the first of them where `isCut`. */
  replace(ids, isCut) { [this.#ids, this.#isCut] = [new Set(ids), isCut]; }

  /** Has none wait. */
  clear() { this.replace([], false); }

  /** Shows how many wait, and at which end of the list they come in. */
  show({ growsAtEnd }) {
    this.#button.hidden = this.isEmpty;
    this.#button.textContent = `${count(this.#ids.size)}${this.#isCut ? "+" : ""} new ${growsAtEnd ? "↓" : "↑"}`;
  }
}
