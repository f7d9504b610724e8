/** Rows that are held at most. */
export const heldLimit = 3_000;

/**
 * A stretch of consecutive rows of a far longer list: the rows in sight and some around them.
 *
 * A row's place is its position in the whole list, 0 at the top.
 */
export class Held {
  /** The place of the first row held. */
  start = 0;
  rows = [];
  /** Rows of the whole list, as far as is known. */
  length = 0;
  /** Whether nothing stands above the first row, and nothing below the last. */
  isFirst = true;
  isLast = true;
  /** The order of rows, as `sort` takes it; null where only the server knows. */
  order = null;

  get end() { return this.start + this.rows.length; }
  get isWhole() { return this.isFirst && this.isLast; }

  /** The row at a place; undefined where it is not held. */
  at(place) { return this.rows[place - this.start]; }

  /** Whether every row of a range is held. */
  covers(first, end) { return first >= this.start && Math.min(end, this.length) <= this.end; }

  /** The place of an exchange; -1 where it is not held. */
  place(id) {
    const index = this.rows.findIndex((row) => row.id === id);
    return index < 0 ? -1 : this.start + index;
  }

  /** Holds other rows. */
  replace(start, rows, { isFirst, isLast }) {
    [this.start, this.rows, this.isFirst, this.isLast] = [start, rows, isFirst, isLast];
    if (isFirst) this.start = 0;
    this.#settle();
  }

  /** Adds the rows that follow; drops the farthest above. */
  append(rows, isLast) {
    this.rows.push(...rows);
    this.isLast = isLast;
    this.#settle();
    this.#cutAbove();
  }

  /** Adds the rows that stand before; drops the farthest below. Returns by how much the places of the rows held before were wrong. */
  prepend(rows, isFirst) {
    this.rows.unshift(...rows);
    this.start -= rows.length;
    const wrong = isFirst ? -this.start : Math.max(0, 1 - this.start);
    this.start += wrong;
    this.length += wrong;
    this.isFirst = isFirst;
    this.#settle();
    this.#cutBelow();
    return wrong;
  }

  /** Replaces a row by its changed self. */
  put(row) {
    const index = this.rows.findIndex(({ id }) => id === row.id);
    if (index >= 0) this.rows[index] = row;
    return index >= 0;
  }

  /** Whether a row that is not held would stand among those that are. */
  surrounds(row) {
    if (!this.order) return false;
    if (!this.rows.length) return this.isWhole;
    return (this.isFirst || this.order(this.rows[0], row) < 0) && (this.isLast || this.order(row, this.rows.at(-1)) < 0);
  }

  /** Adds a row where it belongs; returns its place. */
  insert(row) {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.order(this.rows[middle], row) < 0) low = middle + 1;
      else high = middle;
    }
    this.rows.splice(low, 0, row);
    this.length += 1;
    return this.start + low;
  }

  /** Removes a row; returns its place, or -1. */
  remove(id) {
    const place = this.place(id);
    if (place < 0) return -1;
    this.rows.splice(place - this.start, 1);
    this.length -= 1;
    return place;
  }

  /** Drops surplus rows that are far from a place. */
  trim(near) {
    if (near - this.start > this.end - near) this.#cutAbove();
    else this.#cutBelow();
  }

  /** Takes the length of the whole list; the held rows know better where they reach the end. */
  measure(length) {
    this.length = length;
    this.#settle();
  }

  #settle() { this.length = this.isLast ? this.end : Math.max(this.length, this.end + 1); }

  #cutAbove() {
    const extra = this.rows.length - heldLimit;
    if (extra <= 0) return;
    this.rows.splice(0, extra);
    this.start += extra;
    this.isFirst = false;
  }

  #cutBelow() {
    if (this.rows.length <= heldLimit) return;
    this.rows.length = heldLimit;
    this.isLast = false;
  }
}
