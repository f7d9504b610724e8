import { el, fill } from "./dom.js";
import { rowMarks } from "./marks.js";
import { bytes, codeText, count, duration, fullTime, shortType, time, tone } from "./format.js";

const rowLimit = 5000;
const overscan = 12;

const columns = [
  ["id", "#"], ["time", "Time"], ["method", "Method"], ["scheme", "Scheme"], ["host", "Host"],
  ["path", "Path"], ["code", "Code"], ["type", "Type"], ["size", "Size"], ["duration", "Duration"],
];

/** The list of exchanges, newest first: thousands of rows held, only those in sight drawn. */
export class List {
  /** Where older rows continue; null when there are none. */
  next = null;
  #rows = [];
  #drawn = new Map();
  #chosen = null;
  #scroller;
  #table;
  #body;
  #above;
  #below;
  #older;
  #on;
  #frame = 0;
  #longest = 1;

  constructor(scroller, on) {
    this.#scroller = scroller;
    this.#on = on;
    this.#above = el("tr", { class: "space", "aria-hidden": "true" }, el("td"));
    this.#below = el("tr", { class: "space", "aria-hidden": "true" }, el("td"));
    this.#body = el("tbody", {}, this.#above, this.#below);
    this.#table = el("table", { role: "grid", "aria-label": "Exchanges, newest first", tabindex: "0" },
      el("colgroup", {}, columns.map(([name]) => el("col", { class: `col-${name}` }))),
      el("thead", {}, el("tr", {}, columns.map(([name, title]) => el("th", { scope: "col", class: `cell-${name}` }, title)))),
      this.#body,
    );
    this.#older = el("button", { type: "button", class: "older", hidden: true, onclick: () => on.older() }, "Load older exchanges");
    fill(scroller, this.#table, this.#older);
    scroller.addEventListener("scroll", () => {
      this.#schedule();
      if (this.next !== null && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 600) on.older();
      if (scroller.scrollTop < 4) on.top();
    }, { passive: true });
    new ResizeObserver(() => this.#schedule()).observe(scroller);
    this.#body.addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-id]");
      if (row) on.choose(Number(row.dataset.id), { byKey: false });
    });
    this.#table.addEventListener("keydown", (event) => this.#key(event));
  }

  get isEmpty() { return this.#rows.length === 0; }
  /** Whether the newest row is in sight, so that new ones may come in above it. */
  get isAtTop() { return this.#scroller.scrollTop < 4; }

  /** Replaces every row. */
  set(rows, next) {
    this.#rows = rows;
    this.next = next;
    this.#scroller.scrollTop = 0;
    this.#redraw();
  }

  /** Adds a page of older rows. */
  append(rows, next) {
    const last = this.#rows.at(-1)?.id ?? Infinity;
    this.#rows.push(...rows.filter((row) => row.id < last));
    this.next = next;
    this.#schedule();
  }

  /** Puts changed rows in and takes others out; what the reader looks at stays where it is. Returns how many are new. */
  merge(changed, gone) {
    const ids = new Map(this.#rows.map((row, index) => [row.id, index]));
    const last = this.#rows.at(-1)?.id ?? 0;
    const fresh = [];
    let dropped = 0;
    for (const row of changed) {
      const index = ids.get(row.id);
      if (index !== undefined) this.#rows[index] = row;
      else if (row.id > last || this.next === null) fresh.push(row);
      this.#forget(row.id);
    }
    if (gone.some((id) => ids.has(id))) {
      const out = new Set(gone);
      dropped = this.#rows.length;
      this.#rows = this.#rows.filter((row) => !out.has(row.id));
      dropped -= this.#rows.length;
    }
    const wasAtTop = this.isAtTop;
    if (fresh.length) {
      this.#rows = [...fresh, ...this.#rows].sort((a, b) => b.id - a.id);
      if (!wasAtTop) this.#scroller.scrollTop += fresh.length * this.#rowHeight;
    }
    if (this.#rows.length > rowLimit && wasAtTop) {
      this.#rows.length = rowLimit;
      this.next = String(this.#rows.at(-1).id);
    }
    this.#schedule();
    return fresh.length;
  }

  /** Marks the chosen row and brings it into sight. */
  choose(id, { reveal = false } = {}) {
    this.#chosen = id;
    for (const [key, element] of this.#drawn) element.setAttribute("aria-selected", String(key === id));
    this.#table.setAttribute("aria-activedescendant", id === null ? "" : `row-${id}`);
    if (reveal) this.#reveal(this.#rows.findIndex((row) => row.id === id), { middle: true });
  }

  /** The row as the listing told it. */
  row(id) { return this.#rows.find((row) => row.id === id) ?? null; }

  focus() { this.#table.focus({ preventScroll: true }); }

  toTop() { this.#scroller.scrollTop = 0; }

  get #rowHeight() { return parseFloat(getComputedStyle(this.#scroller).getPropertyValue("--row")) || 28; }

  #key(event) {
    const at = this.#rows.findIndex((row) => row.id === this.#chosen);
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#rowHeight) - 2);
    const to = {
      ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.#rows.length - 1,
    }[event.key];
    if (to === undefined || event.metaKey || event.ctrlKey || event.altKey || this.isEmpty) return;
    event.preventDefault();
    const index = Math.min(this.#rows.length - 1, Math.max(0, to));
    this.#on.choose(this.#rows[index].id, { byKey: true });
    this.#reveal(index);
  }

  /** Scrolls as little as a row needs to be in sight, or puts it in the middle when it is not. */
  #reveal(index, { middle = false } = {}) {
    if (index < 0) return;
    const view = this.#scroller;
    const room = view.clientHeight - this.#table.tHead.offsetHeight - this.#rowHeight;
    const top = index * this.#rowHeight;
    const isInSight = top >= view.scrollTop && top <= view.scrollTop + room;
    if (!isInSight && middle) view.scrollTop = top - room / 2;
    else if (top < view.scrollTop) view.scrollTop = top;
    else if (!isInSight) view.scrollTop = top - room;
    this.#draw();
  }

  #redraw() {
    for (const id of [...this.#drawn.keys()]) this.#forget(id);
    this.#draw();
  }

  #forget(id) {
    this.#drawn.get(id)?.remove();
    this.#drawn.delete(id);
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const height = this.#rowHeight;
    const first = Math.max(0, Math.floor(this.#scroller.scrollTop / height) - overscan);
    const end = Math.min(this.#rows.length, first + Math.ceil(this.#scroller.clientHeight / height) + 2 * overscan);
    const rows = this.#rows.slice(first, end);
    const longest = Math.max(1, ...rows.map((row) => row.durationMs ?? 0));
    if (longest !== this.#longest) {
      this.#longest = longest;
      for (const element of this.#drawn.values()) this.#scale(element);
    }
    const wanted = new Set(rows.map((row) => row.id));
    for (const id of [...this.#drawn.keys()]) if (!wanted.has(id)) this.#forget(id);
    let after = this.#above;
    rows.forEach((row, offset) => {
      let element = this.#drawn.get(row.id);
      if (!element) {
        element = this.#row(row);
        this.#drawn.set(row.id, element);
      }
      element.setAttribute("aria-rowindex", String(first + offset + 2));
      element.classList.toggle("odd", row.id % 2 === 1);
      if (after.nextSibling !== element) after.after(element);
      after = element;
    });
    this.#above.style.height = `${first * height}px`;
    this.#below.style.height = `${(this.#rows.length - end) * height}px`;
    this.#table.setAttribute("aria-rowcount", String(this.#rows.length + 1));
    this.#older.hidden = this.next === null;
    this.#table.hidden = this.isEmpty;
  }

  #row(row) {
    const cut = row.target.indexOf("?");
    const path = cut < 0 ? row.target : row.target.slice(0, cut);
    const parameters = cut < 0 ? "" : row.target.slice(cut);
    const cell = (name, attributes, ...children) => el("td", { ...attributes, class: `cell-${name}` }, ...children);
    const bar = el("span", { class: "bar-of-time", "aria-hidden": "true" });
    const element = el("tr", {
      id: `row-${row.id}`, "data-id": row.id, class: tone(row), "aria-selected": String(row.id === this.#chosen),
    },
      cell("id", {}, String(row.id)),
      cell("time", { title: fullTime(row.started) }, time(row.started)),
      cell("method", {}, row.method || "–"),
      cell("scheme", {}, row.scheme ?? ""),
      cell("host", { title: row.port ? `${row.host}:${row.port}` : row.host }, row.host || "–"),
      cell("path", { title: row.target }, path, parameters && el("span", { class: "parameters" }, parameters), row.client && row.lens && el("span", { class: "tag", title: row.client }, row.lens), rowMarks(row)),
      cell("code", { title: row.failure?.message ?? row.outcome }, el("span", { class: "code" }, codeText(row)),
        row.outcome === "failed" && row.code !== null && el("span", { class: "mark", title: row.failure?.message ?? "failed" }, "!"),
        row.replayOf && el("span", { class: "mark", title: `Replay of ${row.replayOf}` }, "↻")),
      cell("type", { title: row.type ?? "" }, shortType(row.type)),
      cell("size", { title: `${count(row.requestBytes)} bytes sent, ${count(row.responseBytes)} received` }, bytes(row.responseBytes)),
      cell("duration", {}, bar, el("span", {}, row.outcome === "pending" ? "…" : duration(row.durationMs))),
    );
    element.dataset.ms = row.durationMs ?? 0;
    this.#scale(element);
    return element;
  }

  #scale(element) {
    const bar = element.querySelector(".bar-of-time");
    bar.style.width = `${Math.max(2, (100 * Number(element.dataset.ms)) / this.#longest)}%`;
  }
}
