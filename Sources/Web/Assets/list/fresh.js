import { byId } from "./dom.js";
import { count } from "./format.js";

// Exchanges that are counted while they wait.
const countedLimit = 100_000;

/** The new exchanges that wait to be added to the list, and the button that shows their number and adds them. */
export class Fresh {
  #ids = new Set();
  /** Whether more exchanges wait than are counted. */
  #isCut = false;
  #button = byId("fresh");

  constructor({ letIn }) { this.#button.addEventListener("click", letIn); }

  /** The number of waiting exchanges that are counted. */
  get size() { return this.#ids.size; }
  get isEmpty() { return this.#ids.size === 0 && !this.#isCut; }

  has(id) { return this.#ids.has(id); }
  delete(id) { this.#ids.delete(id); }
  [Symbol.iterator]() { return this.#ids.values(); }

  /** Adds an exchange that waits. */
  add(id) {
    if (this.#ids.size < countedLimit) this.#ids.add(id);
    else this.#isCut = true;
  }

  /** Replaces the waiting exchanges by these; with `isCut` more are waiting. */
  replace(ids, isCut) { [this.#ids, this.#isCut] = [new Set(ids), isCut]; }

  /** Forgets the waiting exchanges. */
  clear() { this.replace([], false); }

  /** Shows the number of waiting exchanges, and the end of the list where they will appear. */
  show({ growsAtEnd }) {
    this.#button.hidden = this.isEmpty;
    this.#button.textContent = `${count(this.#ids.size)}${this.#isCut ? "+" : ""} new ${growsAtEnd ? "↓" : "↑"}`;
  }
}
