import * as preferences from "./preferences.js";

// Pixels of a row. The sheet has what is in it fit.
const heights = { table: 28, compact: 21, lines: 66, cards: 78 };
// Below this width of the list a table has no room; a phone gets lines instead.
const narrow = 420;
const phone = matchMedia("(max-width: 760px)");
const cardWidth = 240;

/** How the list is laid out: table, compact or cards, in one to three columns; remembered. Says `changed`. */
export class Layout extends EventTarget {
  #kind = preferences.get("layout", "table");
  #across = preferences.get("cardsAcross", 2);

  /** What was chosen. */
  get kind() { return ["table", "compact", "cards"].includes(this.#kind) ? this.#kind : "table"; }
  get across() { return Math.min(3, Math.max(1, Number(this.#across) || 1)); }

  set kind(kind) {
    this.#kind = kind;
    preferences.set("layout", kind);
    this.dispatchEvent(new Event("changed"));
  }

  set across(number) {
    this.#across = number;
    preferences.set("cardsAcross", number);
    this.dispatchEvent(new Event("changed"));
  }

  /** The layout that fits: its name, the height of a row, the rows beside each other, and whether it is a table with a head. */
  fitting(width) {
    const name = this.kind !== "cards" && (width < narrow || phone.matches) ? "lines" : this.kind;
    const across = name === "cards" ? Math.max(1, Math.min(this.across, Math.floor(width / cardWidth))) : 1;
    return { name, height: heights[name], across, hasHead: name === "table" || name === "compact" };
  }
}
