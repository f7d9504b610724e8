// Pixels that an element may be tall: whole pixels stay whole in a 32-bit float, and every browser lets an element be so tall.
const heightLimit = 15_000_000;
// A scroll event that moves farther than this many views is a jump: a drag of the thumb, a click into the bar.
const jumpViews = 2;

/**
 * The place of a view in a list that may be taller than an element can be.
 *
 * Up to the limit an offset of the scroller is an offset of the list. Above it, jumps are taken in proportion and small moves as they are, so that
 * the wheel moves by pixels and the thumb by thousands of rows; `rest` brings the thumb back to where the view is.
 */
export class Track {
  /** The offset of the view's upper edge in the whole list, in pixels. */
  top = 0;
  #offset = 0;
  #content = 0;
  #view = 0;
  #limit;

  constructor(limit = heightLimit) { this.#limit = limit; }

  /** The height that the element needs. */
  get height() { return Math.min(this.#content, this.#limit); }
  /** The scroller's offset, as it was last seen or set. */
  get offset() { return this.#offset; }
  /** The greatest `top`. */
  get last() { return Math.max(0, this.#content - this.#view); }

  /** Takes the height of the whole list and of the view. */
  measure(content, view) {
    [this.#content, this.#view] = [content, view];
    this.top = Math.min(this.top, this.last);
  }

  /** Takes the scroller's offset after it was scrolled. */
  moved(offset) {
    const by = offset - this.#offset;
    this.#offset = offset;
    if (this.#content <= this.#limit) this.top = offset;
    else if (offset >= this.height - this.#view - 1 && by > jumpViews * this.#view) this.top = this.last;
    else if (Math.abs(by) > jumpViews * this.#view || offset === 0 && by < 0 && this.top < this.#view) this.top = offset / this.#ratio;
    else this.top += by;
    this.top = Math.min(this.last, Math.max(0, this.top));
  }

  /** Goes to a place of the list; returns the offset for the scroller. */
  go(top) {
    this.top = Math.min(this.last, Math.max(0, top));
    this.#offset = Math.round(this.#content <= this.#limit ? this.top : this.top * this.#ratio);
    return this.#offset;
  }

  /** The offset at which the thumb says where the view is. */
  rest() { return this.go(this.top); }

  get #ratio() { return Math.max(1, this.height - this.#view) / Math.max(1, this.last); }
}
