import { el } from "./dom.js";
import { hitsIn } from "./find.js";
import { Pieces } from "./pieces.js";
import { Windowed } from "./windowed.js";

const rowHeight = 19;

/** The view of bytes as offsets, hexadecimal and characters; only the rows in sight are read. */
export class HexView {
  #pieces;
  #windowed;
  #width = 0;
  #hits = [];
  #now = null;
  #observer = new ResizeObserver(() => this.#fit());

  constructor(blob) {
    this.#pieces = new Pieces(blob);
    this.#windowed = new Windowed({
      rowHeight, draw: (from, to) => this.#draw(from, to), attributes: { class: "hex", role: "group", "aria-label": "Body in hexadecimal" },
    });
    this.element = this.#windowed.element;
    this.#observer.observe(this.element);
  }

  found(hits) {
    this.#hits = hits;
    this.#windowed.refresh();
  }

  go(hit) {
    this.#now = hit;
    this.#windowed.reveal(Math.floor(hit.start / this.#width));
    this.#windowed.refresh();
  }

  end() {
    this.#observer.disconnect();
    this.#windowed.end();
  }

  #fit() {
    const width = this.element.clientWidth < 560 ? 8 : 16;
    if (width === this.#width) return;
    this.#width = width;
    this.#windowed.total = Math.ceil(this.#pieces.size / width);
  }

  async #draw(from, to) {
    const width = this.#width;
    if (!width) return [];
    const bytes = await this.#pieces.range(from * width, to * width);
    const rows = [];
    for (let at = 0; at < bytes.length; at += width) rows.push(this.#row(from * width + at, bytes.subarray(at, at + width)));
    return rows;
  }

  #row(offset, bytes) {
    const hits = hitsIn(this.#hits, offset, offset + bytes.length);
    const pair = (byte) => byte.toString(16).padStart(2, "0");
    const pairs = [];
    const characters = [];
    bytes.forEach((byte, index) => {
      const hit = hits.find(({ start, end }) => offset + index >= start && offset + index < end);
      const wrap = (text) => hit ? el("mark", { class: hit === this.#now && "now" }, text) : text;
      pairs.push(wrap(pair(byte)), index === 7 && bytes.length > 8 ? "  " : " ");
      characters.push(wrap(byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·"));
    });
    const missing = " ".repeat((this.#width - bytes.length) * 3 + (bytes.length <= 8 && this.#width > 8 ? 1 : 0));
    return el("div", { class: "text-row" }, el("span", { class: "line-number" }, offset.toString(16).padStart(8, "0")),
      el("span", { class: "line-text" }, pairs, missing, " ", characters));
  }
}
