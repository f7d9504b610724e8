import { el, fill } from "./dom.js";
import { Head } from "./head.js";
import { axis, cardColumns, lineColumns, mark, place, placeholder, rowElement, tick } from "./row.js";
import { Track } from "./track.js";

// Lines drawn above and below those in sight.
const overscan = 10;
// Milliseconds without scrolling after which the thumb is corrected, and between two ticks of open exchanges.
const restAfter = 160;
const tickEvery = 500;
// Pixels within which the view counts as at an end of the list.
const edge = 4;

/** Draws the rows in sight of a list of any length. A row that is not held yet is drawn as a placeholder, and asked for. */
export class List {
  #held;
  #columns;
  #layout;
  #on;
  #scroller;
  #table;
  #body = el("tbody", { role: "rowgroup" });
  #head;
  #track = new Track();
  #drawn = new Map();
  #ghosts = new Map();
  #frame = 0;
  #resting = 0;
  #fit;
  #shown = [];
  /** Heights in pixels of the table's head and of the rows in sight, and the width: measured when they change, not in each frame. */
  #headHeight = 0;
  #view = 0;
  #width = 0;
  #sort = "";
  #chosen = null;
  #marked = new Set();
  /** The place that is chosen once its row is held. */
  #awaited = null;

  /**
   * `on`: `choose(id, {byKey})`, `mark(id, {range})`, `need(first, end)`, `edge()` at an end of the list, `sort(text)`,
   * `menu(row, {x, y, name})` at a point of the window, for the cell of a column.
   */
  constructor(scroller, { held, columns, layout, on }) {
    [this.#scroller, this.#held, this.#columns, this.#layout, this.#on] = [scroller, held, columns, layout, on];
    this.#head = new Head(columns, on);
    this.#table = el("table", { role: "grid", "aria-label": "Exchanges", "aria-multiselectable": "true", tabindex: "0" },
      this.#head.element, this.#body);
    fill(scroller, this.#table);
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(scroller);
    columns.addEventListener("changed", () => this.#refit());
    layout.addEventListener("changed", () => this.#refit());
    this.#body.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault());
    this.#body.addEventListener("click", (event) => this.#click(event));
    this.#table.addEventListener("keydown", (event) => this.#key(event));
    this.#table.addEventListener("contextmenu", (event) => this.#menu(event));
    setInterval(() => this.#tick(), tickEvery);
    // A hidden list is scrolled all the same.
    this.#fit = layout.fitting(window.innerWidth);
    this.#refit();
  }

  get isAtTop() { return this.#track.top < edge; }
  get isAtBottom() { return this.#track.top > this.#track.last - edge; }
  /** Whether the end is what a reader is at: of a list that is wholly in sight only where new rows come at its end. */
  get #isAtEnd() { return this.isAtBottom && (!this.isAtTop || this.#sort === "started"); }
  /** The order of the list, for its head. */
  set sort(sort) {
    this.#sort = sort;
    this.#refit();
  }

  /** The place of the first row in sight. */
  get firstPlace() { return Math.ceil(this.#track.top / this.#fit.height) * this.#fit.across; }

  /** The first held row in sight, and the distance from the view's upper edge to the row's; null without such a row. */
  get anchor() {
    const { height, across } = this.#fit;
    for (let at = this.firstPlace; at < this.firstPlace + 200; at++) {
      const row = this.#held.at(at);
      if (row) return { id: row.id, gap: Math.floor(at / across) * height - this.#track.top };
    }
    return null;
  }

  /** Puts a place so far under the upper edge of the view. */
  put(at, gap) { this.#goTo(Math.floor(at / this.#fit.across) * this.#fit.height - gap); }

  /** Draws in the next frame. */
  refresh() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.draw());
  }

  /** Keeps the rows in sight in their places when so many rows came in above them. */
  shift(rows) {
    this.#measure();
    this.#goTo(this.#track.top + (rows / this.#fit.across) * this.#fit.height);
  }

  toTop() { this.#goTo(0); }

  toBottom() {
    this.#measure();
    this.#goTo(this.#track.last);
  }

  /** Shows which row is chosen. */
  choose(id) {
    this.#chosen = id;
    this.#awaited = null;
    for (const [key, { element }] of this.#drawn) element.setAttribute("aria-selected", String(key === id));
    this.#point();
  }

  /** Tells screen readers which row is the chosen one, while it is drawn. */
  #point() {
    if (this.#drawn.has(this.#chosen)) this.#table.setAttribute("aria-activedescendant", `row-${this.#chosen}`);
    else this.#table.removeAttribute("aria-activedescendant");
  }

  /** Shows which rows are marked. */
  mark(ids) {
    this.#marked = ids;
    for (const [id, { element }] of this.#drawn) mark(element, ids.has(id));
  }

  /** Scrolls as little as needed to show a place; with `middle`, a place that was out of sight comes into the middle. */
  reveal(at, { middle = false } = {}) {
    if (at < 0) return;
    this.#measure();
    const { height, across } = this.#fit;
    const top = Math.floor(at / across) * height;
    const room = this.#view - height;
    const isInSight = top >= this.#track.top && top <= this.#track.top + room;
    if (isInSight) this.refresh();
    else this.#goTo(middle ? top - room / 2 : top < this.#track.top ? top : top - room);
  }

  focus() { this.#table.focus({ preventScroll: true }); }

  /** Draws the rows in sight. */
  draw() {
    if (!this.#width) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#measure();
    const { height, across } = this.#fit;
    const { length } = this.#held;
    const track = this.#track;
    const firstLine = Math.max(0, Math.floor(track.top / height) - overscan);
    const first = firstLine * across;
    const end = Math.min(length, (Math.ceil((track.top + this.#view) / height) + overscan) * across);
    this.#body.style.top = `${Math.round(this.#headHeight + track.offset + firstLine * height - track.top)}px`;
    const wanted = new Set();
    for (let at = first; at < end; at++) wanted.add(this.#held.at(at)?.id ?? -at - 1);
    for (const kept of [this.#drawn, this.#ghosts]) {
      for (const [key, { element }] of kept) {
        if (wanted.has(key)) continue;
        element.remove();
        kept.delete(key);
      }
    }
    let before = null;
    for (let at = first; at < end; at++) {
      const element = this.#element(at);
      element.setAttribute("aria-rowindex", String(at + (this.#fit.hasHead ? 2 : 1)));
      const next = before ? before.nextSibling : this.#body.firstChild;
      if (next !== element) this.#body.insertBefore(element, next);
      before = element;
    }
    this.#point();
    this.#table.setAttribute("aria-rowcount", String(length + (this.#fit.hasHead ? 1 : 0)));
    this.#table.hidden = length === 0;
    this.#scale();
    if (this.#awaited !== null && this.#held.at(this.#awaited)) {
      const { id } = this.#held.at(this.#awaited);
      this.#awaited = null;
      this.#on.choose(id, { byKey: true });
    }
    if (length) {
      const seen = Math.floor(track.top / height) * across;
      this.#on.need(seen, Math.min(length, Math.ceil((track.top + this.#view) / height) * across));
    }
  }

  #element(at) {
    const row = this.#held.at(at);
    if (!row) {
      if (!this.#ghosts.has(-at - 1)) this.#ghosts.set(-at - 1, { element: placeholder(this.#shown) });
      return this.#ghosts.get(-at - 1).element;
    }
    const known = this.#drawn.get(row.id);
    if (known?.row === row) return known.element;
    known?.element.remove();
    const element = rowElement(row, this.#shown, { isChosen: row.id === this.#chosen, isMarked: this.#marked.has(row.id) });
    this.#drawn.set(row.id, { row, element });
    return element;
  }

  #resized() {
    if (this.#scroller.clientWidth !== this.#width) this.#refit();
    else {
      // Who is at the end stays there, also when the strip of time comes above the list.
      const isAtEnd = this.#isAtEnd;
      this.#view = Math.max(0, this.#scroller.clientHeight - this.#headHeight);
      if (isAtEnd) this.toBottom();
      else this.draw();
    }
  }

  /** Draws everything anew after the columns, the layout or the size changed. */
  #refit() {
    const width = this.#scroller.clientWidth;
    if (!width) return;
    const isAtEnd = this.#width && this.#isAtEnd;
    const anchor = this.#width && !this.isAtTop && !isAtEnd ? this.anchor : null;
    this.#width = width;
    this.#fit = this.#layout.fitting(width);
    const { name, hasHead, across, height } = this.#fit;
    this.#shown = hasHead ? this.#columns.fitting(width) : name === "lines" ? lineColumns : cardColumns;
    this.#table.className = `as-${name}`;
    this.#table.style.setProperty("--columns", hasHead ? this.#columns.template(this.#shown) : "");
    this.#table.style.setProperty("--across", across);
    this.#table.style.setProperty("--row", `${height}px`);
    this.#head.element.hidden = !hasHead;
    // A hidden element has no height to measure.
    this.#table.hidden = false;
    this.#head.draw(hasHead ? this.#shown : cardColumns, this.#sort);
    this.#headHeight = hasHead ? this.#head.element.offsetHeight : 0;
    this.#view = Math.max(0, this.#scroller.clientHeight - this.#headHeight);
    for (const kept of [this.#drawn, this.#ghosts]) {
      for (const { element } of kept.values()) element.remove();
      kept.clear();
    }
    this.#measure();
    if (isAtEnd) return this.toBottom();
    if (anchor) this.put(this.#held.place(anchor.id), anchor.gap);
    this.draw();
  }

  #measure() {
    const lines = Math.ceil(this.#held.length / this.#fit.across);
    this.#track.measure(lines * this.#fit.height, this.#view);
    const height = `${this.#headHeight + this.#track.height}px`;
    if (this.#table.style.height !== height) this.#table.style.height = height;
  }

  #goTo(top) {
    this.#measure();
    this.#scroller.scrollTop = this.#track.go(top);
    this.draw();
  }

  #scrolled() {
    if (this.#scroller.scrollTop !== this.#track.offset) {
      this.#track.moved(this.#scroller.scrollTop);
      this.refresh();
    }
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), restAfter);
    if (this.isAtTop || this.isAtBottom) this.#on.edge();
  }

  #rest() {
    // A scroll whose event has yet to come would be undone; there is a rest after it, too.
    if (this.#scroller.scrollTop !== this.#track.offset) return;
    const offset = this.#track.rest();
    if (Math.abs(this.#scroller.scrollTop - offset) < 1) return;
    this.#scroller.scrollTop = offset;
    this.draw();
  }

  /** Places the bars of the waterfall on the axis of the rows in sight. */
  #scale() {
    if (!this.#shown.some(({ name }) => name === "waterfall")) return;
    const { height, across } = this.#fit;
    const rows = [];
    const end = Math.ceil((this.#track.top + this.#view) / height) * across;
    for (let at = Math.floor(this.#track.top / height) * across; at < end; at++) if (this.#held.at(at)) rows.push(this.#held.at(at));
    if (!rows.length) return;
    const scale = axis(rows);
    this.#head.span(scale.span);
    for (const { element, row } of this.#drawn.values()) place(element, row, scale);
  }

  #tick() {
    if (document.hidden) return;
    let isAny = false;
    for (const { element, row } of this.#drawn.values()) {
      if (row.outcome !== "pending") continue;
      isAny = true;
      tick(element, row);
    }
    if (isAny) this.#scale();
  }

  #click(event) {
    const element = event.target.closest("tr[data-id]");
    if (!element) return;
    const id = Number(element.dataset.id);
    if (event.shiftKey) this.#on.mark(id, { range: true });
    else if (event.ctrlKey || event.metaKey) this.#on.mark(id, { range: false });
    else this.#on.choose(id, { byKey: false });
  }

  /** Offers the values of the row that the pointer is on, or by a key those of the chosen row. */
  #menu(event) {
    const isByKey = event.target === this.#table;
    const element = isByKey ? this.#drawn.get(this.#chosen)?.element : event.target.closest("tr[data-id]");
    const drawn = element && this.#drawn.get(Number(element.dataset.id));
    if (!drawn) return;
    event.preventDefault();
    const { left, bottom } = element.getBoundingClientRect();
    const name = /cell-(\w+)/.exec(event.target.closest("td")?.className)?.[1];
    this.#on.menu(drawn.row, { ...(isByKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY }), name });
  }

  #key(event) {
    if (event.target !== this.#table || event.metaKey || event.ctrlKey || event.altKey || !this.#held.length) return;
    if (event.key === "x" && this.#chosen !== null) {
      event.preventDefault();
      this.#on.mark(this.#chosen, { range: false });
      return;
    }
    const at = this.#awaited ?? (this.#chosen === null ? -1 : this.#held.place(this.#chosen));
    const { height, across } = this.#fit;
    const page = Math.max(1, Math.floor(this.#view / height) - 1) * across;
    // Without a chosen row among those held, keys start from the rows in sight.
    const from = at < 0 ? Math.ceil(this.#track.top / height) * across : at;
    const to = {
      ArrowDown: at < 0 ? from : at + across, ArrowUp: at < 0 ? from : at - across, ArrowRight: across > 1 ? at + 1 : undefined,
      ArrowLeft: across > 1 ? at - 1 : undefined, PageDown: from + page, PageUp: from - page, Home: 0, End: this.#held.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const wanted = Math.min(this.#held.length - 1, Math.max(0, to));
    const row = this.#held.at(wanted);
    this.#awaited = row ? null : wanted;
    if (row) this.#on.choose(row.id, { byKey: true });
    this.reveal(wanted);
  }
}
