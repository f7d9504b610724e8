import { el, fill } from "./dom.js";
import { duration } from "./format.js";

// Pixels by which an arrow key moves a column's edge, and with Shift.
const step = 8;
const longStep = 32;

/** The head of the table: names that sort, edges that set widths. */
export class Head {
  element = el("thead", { role: "rowgroup" });
  #row = el("tr", { role: "row", "aria-rowindex": "1" });
  #columns;
  #on;
  #axis = null;

  /** `on.sort` takes the order that a click asks for. */
  constructor(columns, on) {
    [this.#columns, this.#on] = [columns, on];
    this.element.append(this.#row);
  }

  /** Draws the names of the columns that are shown. */
  draw(shown, sort) {
    const at = document.activeElement?.closest?.("th")?.dataset.column;
    const part = document.activeElement?.className;
    fill(this.#row, shown.map((column, index) => this.#cell(column, sort, index)));
    this.#axis = this.#row.querySelector(".axis");
    if (at) this.#row.querySelector(`th[data-column="${at}"] .${part}`)?.focus({ preventScroll: true });
  }

  /** Shows the time that the waterfall covers. */
  span(ms) { if (this.#axis) this.#axis.textContent = duration(ms); }

  #cell(column, sort, index) {
    const { name, title } = column;
    const sorts = column.sort !== undefined;
    const way = this.#way(column, sort);
    const arrow = { ascending: " ↑", descending: " ↓" }[way] ?? "";
    return el("th", {
      role: "columnheader", scope: "col", "data-column": name, class: `cell-${name}`,
      "aria-colindex": index + 1, "aria-sort": sorts ? way : null,
    },
      sorts
        ? el("button", { type: "button", class: "sorts", onclick: () => this.#on.sort(this.#next(column, sort)) },
          title, el("span", { "aria-hidden": "true" }, arrow))
        : el("span", { class: "name" }, title),
      name === "waterfall" && el("span", { class: "axis" }),
      name !== "path" && this.#edge(name, title));
  }

  #way({ sort }, current) {
    if (sort === undefined) return null;
    if (sort === "") return current === "" ? "descending" : current === "started" ? "ascending" : "none";
    return current === sort ? "ascending" : current === `-${sort}` ? "descending" : "none";
  }

  /** The order that the next click asks for: one direction, the other, then the order of recording again. */
  #next({ sort, falls }, current) {
    if (sort === "") return current === "" ? "started" : "";
    const [one, other] = falls ? [`-${sort}`, sort] : [sort, `-${sort}`];
    return current === one ? other : current === other ? "" : one;
  }

  #edge(name, title) {
    const width = this.#columns.width(name);
    const edge = el("span", {
      class: "edge", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": `Width of ${title}`, "aria-valuenow": width,
      "aria-valuemin": 44, "aria-valuemax": 900,
      ondblclick: () => this.#columns.resize(name, null),
      onkeydown: (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        this.#columns.resize(name, this.#columns.width(name) + by * (event.shiftKey ? longStep : step));
      },
      onpointerdown: (event) => this.#drag(event, name),
    });
    return edge;
  }

  #drag(event, name) {
    event.preventDefault();
    const from = event.clientX;
    const width = this.#columns.width(name);
    const move = (moved) => this.#columns.resize(name, width + moved.clientX - from);
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }
}
