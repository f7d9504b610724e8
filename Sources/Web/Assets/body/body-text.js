import { el, fill } from "./dom.js";
import { hitsIn } from "./find.js";
import { Pieces } from "./pieces.js";
import { TextRows } from "./text-rows.js";
import { Windowed } from "./windowed.js";

// Bytes of a text that is drawn whole, so that it can be selected and searched as any text of a page.
const wholeBytes = 256 << 10;
const rowHeight = 19;
const decoder = new TextDecoder();

/** The view of a text: a UTF-8 blob. */
export function textView(blob) {
  return blob.size <= wholeBytes ? new WholeText(blob) : new LongText(blob);
}

class WholeText {
  element = el("pre", { class: "text", tabindex: "0", "aria-label": "Body as text" });
  #bytes = null;
  #ready;
  #hits = [];

  constructor(blob) {
    this.#ready = blob.arrayBuffer().then((buffer) => {
      this.#bytes = new Uint8Array(buffer);
      this.#draw();
    });
  }

  found(hits) {
    const had = this.#hits.length;
    this.#hits = hits;
    if (this.#bytes && (had || hits.length)) this.#draw();
  }

  async go(hit) {
    await this.#ready;
    const marks = this.element.querySelectorAll("mark");
    for (const mark of marks) mark.classList.remove("now");
    const mark = marks[this.#hits.indexOf(hit)];
    mark?.classList.add("now");
    mark?.scrollIntoView({ block: "center" });
  }

  end() {}

  #draw() { fill(this.element, pieces(this.#bytes, 0, this.#hits, null)); }
}

class LongText {
  #pieces;
  #rows;
  #hits = [];
  #now = null;
  #abort = new AbortController();
  #windowed;
  #columns = 0;
  #observer = new ResizeObserver(() => this.#fit());
  #built;
  #probe = el("span", { class: "probe", "aria-hidden": "true" }, "0".repeat(100));

  constructor(blob) {
    this.#pieces = new Pieces(blob);
    this.#windowed = new Windowed({
      rowHeight, draw: (from, to) => this.#draw(from, to), attributes: { class: "text long", role: "group", "aria-label": "Body as text" },
    });
    this.element = el("div", { class: "long-text" }, this.#probe, this.#windowed.element);
    this.#observer.observe(this.element);
  }

  found(hits) {
    this.#hits = hits;
    this.#windowed.refresh();
  }

  async go(hit) {
    this.#now = hit;
    await this.#built;
    this.#windowed.reveal(await this.#rows.rowAt(hit.start));
    this.#windowed.refresh();
  }

  end() {
    this.#abort.abort();
    this.#observer.disconnect();
    this.#windowed.end();
  }

  /** Breaks the text anew, where the width has changed enough. */
  #fit() {
    const character = this.#probe.offsetWidth / 100 || 7;
    const columns = Math.max(24, Math.floor((this.#windowed.element.clientWidth - 100) / character));
    if (!this.element.isConnected || Math.abs(columns - this.#columns) < 2) return;
    this.#columns = columns;
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const rows = new TextRows(this.#pieces, columns);
    this.#rows = rows;
    this.#built = rows.build((isWhole) => {
      if (signal.aborted) return;
      this.#windowed.total = rows.count;
      this.element.dataset.lines = isWhole ? String(rows.lines) : "";
    }, signal);
  }

  async #draw(from, to) {
    if (!this.#rows || from >= to) return [];
    return (await this.#rows.rows(from, to)).map((row) => el("div", { class: "text-row" },
      el("span", { class: "line-number", "aria-hidden": "true" }, row.line ?? ""),
      el("span", { class: "line-text" }, pieces(row.bytes, row.start, this.#hits, this.#now))));
  }
}

/** Bytes as text, with the hits in them marked; `start` is the offset of the first. */
function pieces(bytes, start, hits, now) {
  const nodes = [];
  let at = 0;
  const text = (from, to) => decoder.decode(bytes.subarray(from, to));
  for (const hit of hitsIn(hits, start, start + bytes.length)) {
    const from = Math.max(0, hit.start - start);
    const to = Math.min(bytes.length, hit.end - start);
    nodes.push(text(at, from), el("mark", { class: hit === now && "now" }, text(from, to)));
    at = to;
  }
  nodes.push(text(at, bytes.length).replace(/\r$/, ""));
  return nodes;
}
