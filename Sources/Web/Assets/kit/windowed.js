import { el, fill } from "./dom.js";

// Rows drawn beyond those in sight, on each side.
const beyond = 12;
// Pixels of the tallest element that is scrolled; a longer list is scrolled in proportion.
const tallest = 8_000_000;

/** A scrolled place of which only the rows in sight are drawn; `draw(from, to)` makes them, at once or later. */
export class Windowed {
  #draw;
  #rowHeight;
  #total = 0;
  #ticket = 0;
  #isWaiting = false;
  #rows = el("div", { class: "windowed-rows", role: "presentation" });
  #space = el("div", { class: "windowed-space", role: "presentation" }, this.#rows);
  #observer = new ResizeObserver(() => this.refresh());

  constructor({ draw, rowHeight = 20, attributes = {} }) {
    this.#draw = draw;
    this.#rowHeight = rowHeight;
    this.element = el("div", { tabindex: "0", ...attributes, class: `windowed ${attributes.class ?? ""}` }, this.#space);
    this.element.addEventListener("scroll", () => this.refresh(), { passive: true });
    this.#observer.observe(this.element);
  }

  get total() { return this.#total; }
  set total(number) {
    this.#total = number;
    this.#space.style.height = `${this.#height}px`;
    this.refresh();
  }

  /** The number of rows in sight. */
  get sight() { return Math.max(1, Math.floor(this.element.clientHeight / this.#rowHeight)); }

  /** The first row in sight. */
  get first() { return Math.floor(this.#first); }

  /** Draws anew, once for any number of calls before the next frame. */
  refresh() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#show();
    });
  }

  /** Brings a row into sight, in the middle when it was not. */
  reveal(row) {
    this.element.scrollIntoView({ block: "nearest" });
    const at = this.#first;
    if (row >= at && row < at + this.sight - 1) return;
    const wanted = Math.max(0, row - Math.floor(this.sight / 2));
    const { scrollHeight, clientHeight } = this.element;
    this.element.scrollTop = this.#isScaled
      ? (wanted / Math.max(1, this.#total - this.sight)) * (scrollHeight - clientHeight) : wanted * this.#rowHeight;
    this.refresh();
  }

  /** Stops drawing. */
  end() {
    this.#ticket += 1;
    this.#observer.disconnect();
  }

  get #height() { return Math.min(tallest, this.#total * this.#rowHeight); }
  get #isScaled() { return this.#total * this.#rowHeight > tallest; }

  /** The row at the upper edge, with its part that is above it. */
  get #first() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    if (!this.#isScaled) return scrollTop / this.#rowHeight;
    return (scrollTop / Math.max(1, scrollHeight - clientHeight)) * Math.max(0, this.#total - this.sight);
  }

  async #show() {
    const ticket = ++this.#ticket;
    const first = this.#first;
    const from = Math.max(0, Math.floor(first) - beyond);
    const to = Math.min(this.#total, Math.ceil(first) + this.sight + 1 + beyond);
    const rows = await this.#draw(from, Math.max(from, to));
    if (ticket !== this.#ticket) return;
    this.#rows.style.transform = `translateY(${Math.max(0, this.element.scrollTop - (first - from) * this.#rowHeight)}px)`;
    fill(this.#rows, rows);
  }
}
