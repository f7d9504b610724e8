import { copyButton, el, fill } from "./dom.js";
import { bytes, counted } from "./format.js";
import { marked } from "./highlight.js";
import { Node } from "./json-index.js";
import { jsonPath } from "./json-path.js";
import { Pieces } from "./pieces.js";
import { Windowed } from "./windowed.js";

const rowHeight = 20;
// A body up to this opens its first levels by itself.
const smallBytes = 256 << 10;
const openAtOnce = 40;
const openRows = 400;
// Bytes of a folded group whose members are counted; a bigger group shows its size.
const countedBytes = 64 << 10;
const shownValue = 100_000;

// Trees of this page so far: each has rows of its own names.
let made = 0;

/** JSON as a tree to fold; only the rows in sight are made, and members are read when they are shown. */
export class JSONTree {
  #pieces;
  #id = `tree-${made += 1}`;
  #root = null;
  #active = 0;
  /** The row that an address points at, as long as no row above it is folded or unfolded. */
  #pointed = -1;
  #pattern = null;
  #abort = new AbortController();
  #ready;
  #windowed;
  #bar = el("div", { class: "tree-bar", "aria-live": "polite", hidden: true });
  element;

  constructor(blob) {
    this.#pieces = new Pieces(blob);
    this.#windowed = new Windowed({
      rowHeight, draw: (from, to) => this.#draw(from, to), attributes: { class: "tree", role: "tree", "aria-label": "JSON body" },
    });
    const tree = this.#windowed.element;
    tree.reveal = (path) => this.reveal(path);
    tree.addEventListener("keydown", (event) => this.#key(event));
    tree.addEventListener("click", (event) => this.#click(event));
    const all = (does) => async () => {
      await does();
      this.#changed();
    };
    this.element = el("div", { class: "tree-view" },
      el("div", { class: "tree-tools" },
        el("button", { type: "button", class: "button small", onclick: all(() => this.#unfold(this.#root, 99)) }, "Unfold all"),
        el("button", { type: "button", class: "button small", onclick: all(() => this.#fold()) }, "Fold all")),
      tree, this.#bar);
    this.#ready = this.#begin(blob.size);
  }

  found(_, needles) {
    this.#pattern = needles?.text ?? null;
    this.#windowed.refresh();
  }

  /** Unfolds the way to a place and shows it. */
  async go(hit) {
    await this.#ready;
    let node = this.#root;
    while (node.isGroup && await node.counted(this.#abort.signal) > 0) {
      await this.#openNode(node);
      const index = await node.placeOf(hit.start);
      if (index === null) break;
      const child = await node.child(index);
      if (!child.isGroup || child.text === "empty" || hit.start < child.start) {
        this.#activate(this.#rowOf(node, index));
        return;
      }
      node = child;
    }
    this.#activate(this.#rowOf(node.parent ?? node, node.index));
  }

  /** Unfolds the way to a JSON pointer's place (RFC 6901) and marks it; the nearest place above it where it is not there. */
  async reveal(path) {
    await this.#ready;
    let [node, row] = [this.#root, 0];
    for (const step of path.split("/").slice(1).map((text) => text.replaceAll("~1", "/").replaceAll("~0", "~"))) {
      const index = node.isGroup && await node.counted(this.#abort.signal) > 0 ? await this.#indexOf(node, step) : null;
      if (index === null) break;
      await this.#openNode(node);
      row = this.#rowOf(node, index);
      node = await node.child(index);
    }
    this.#pointed = row;
    await this.#activate(row);
  }

  /** The place of a member among its group's, the last of its name; null where there is none. */
  async #indexOf(node, step) {
    if (node.kind === "array") return /^\d+$/.test(step) && Number(step) < node.count ? Number(step) : null;
    for (let end = node.count; end > 0; end -= openRows) {
      const from = Math.max(0, end - openRows);
      const at = (await node.members(from, end)).findLastIndex(({ key }) => key === step);
      if (at >= 0) return from + at;
    }
    return null;
  }

  end() {
    this.#abort.abort();
    this.#windowed.end();
  }

  async #begin(size) {
    this.#root = await Node.root(this.#pieces);
    try {
      await this.#openNode(this.#root);
      if (size <= smallBytes) await this.#unfold(this.#root, 2, openAtOnce);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
    this.#changed();
  }

  async #openNode(node) {
    if (!node.isGroup || !(await node.counted(this.#abort.signal))) return;
    node.isOpen = true;
    node.parent?.open.set(node.index, node);
    this.#changed();
  }

  /** Opens levels of groups, as long as the open part stays small. */
  async #unfold(node, levels, widest = openRows) {
    if (!node.isGroup) return;
    await this.#openNode(node);
    for (let index = 0; index < Math.min(node.count, widest); index += 1) {
      const child = await node.child(index);
      if (!child.isGroup || child.text === "empty" || this.#root.rows > openRows * (levels > 9 ? 25 : 1)) continue;
      const members = child.end - child.start < countedBytes ? await child.counted() : Infinity;
      if (levels > 1 || (levels > -1 && members <= 3)) await this.#unfold(child, levels - 1, widest);
    }
  }

  #fold() {
    this.#root.open.clear();
    this.#active = 0;
  }

  #changed() {
    if (this.#root) this.#windowed.total = this.#root.rows;
  }

  // Rows and places

  /** The group and the member's place of a row; `isEnd` for a closing line. */
  #place(row) {
    let node = this.#root;
    let rest = row;
    for (;;) {
      if (rest === 0) return { node, isSelf: true };
      if (rest === node.rows - 1) return { node, isEnd: true };
      rest -= 1;
      let extra = 0;
      let inner = null;
      for (const [index, child] of [...node.open].sort(([one], [two]) => one - two)) {
        const start = index + extra;
        if (rest < start) break;
        if (rest < start + child.rows) {
          inner = [child, rest - start];
          break;
        }
        extra += child.rows - 1;
      }
      if (!inner) return { node, index: rest - extra };
      [node, rest] = inner;
    }
  }

  #rowOf(node, index) {
    if (!node) return 0;
    let row = 1 + index;
    for (const [place, child] of node.open) if (place < index) row += child.rows - 1;
    return node.parent ? row + this.#rowOf(node.parent, node.index) : row;
  }

  async #at(row) {
    const place = this.#place(row);
    return place.index === undefined ? place.node : place.node.child(place.index);
  }

  async #draw(from, to) {
    if (!this.#root || from >= to) return [];
    const drawn = [];
    for (let row = from; row < to; row += 1) {
      const place = this.#place(row);
      if (place.isEnd) drawn.push(this.#closing(row, place.node));
      else if (place.isSelf) drawn.push(await this.#line(row, place.node));
      else {
        // Members side by side are read together.
        let end = row + 1;
        while (end < to) {
          const next = this.#place(end);
          if (next.node !== place.node || next.index !== place.index + (end - row)) break;
          end += 1;
        }
        const members = await place.node.members(place.index, place.index + (end - row));
        for (const [offset, member] of members.entries()) {
          drawn.push(await this.#line(row + offset, new Node(this.#pieces, { ...member, parent: place.node })));
        }
        row = end - 1;
      }
    }
    this.#point(drawn);
    return drawn;
  }

  /** Tells screen readers which row is the active one, as long as it is among those that are drawn. */
  #point(drawn) {
    const tree = this.#windowed.element;
    const id = `${this.#id}-row-${this.#active}`;
    if (drawn.some((line) => line.id === id)) tree.setAttribute("aria-activedescendant", id);
    else tree.removeAttribute("aria-activedescendant");
  }

  async #line(row, node) {
    const name = node.key === null ? null
      : el("span", { class: typeof node.key === "number" ? "index" : "key" }, marked(shortened(String(node.key), 300), this.#pattern), ": ");
    const isFull = node.isGroup && node.text !== "empty";
    const [open, close] = node.kind === "object" ? "{}" : "[]";
    const item = el("div", {
      class: `tree-row ${row === this.#active ? "active" : ""} ${row === this.#pointed ? "pointed" : ""}`,
      id: `${this.#id}-row-${row}`, role: "treeitem", "aria-level": node.depth + 1,
      "aria-expanded": isFull ? String(node.isOpen) : null, "aria-selected": String(row === this.#active), "data-row": row,
      "aria-setsize": node.parent?.count ?? 1, "aria-posinset": node.index + 1,
    }, el("span", { class: "twist", "aria-hidden": "true" }), name,
    node.isGroup ? [open, isFull ? !node.isOpen && el("span", { class: "folded" }, ` ${await this.#summary(node)} ${close}`) : close]
      : el("span", { class: `json-${node.kind}` }, marked(node.text, this.#pattern)));
    item.style.paddingLeft = `${8 + 16 * Math.min(node.depth, 60)}px`;
    return item;
  }

  #closing(row, node) {
    const line = el("div", { class: "tree-row closing", role: "presentation", "data-row": row },
      el("span", { class: "twist" }), node.kind === "object" ? "}" : "]");
    line.style.paddingLeft = `${8 + 16 * Math.min(node.depth, 60)}px`;
    return line;
  }

  async #summary(node) {
    if (node.count === null && node.end - node.start > countedBytes) return bytes(node.end - node.start);
    const members = await node.counted();
    return counted(members, node.kind === "object" ? "key" : "item");
  }

  // What the reader does

  async #click(event) {
    const line = event.target.closest("[data-row]");
    if (!line) return;
    const row = Number(line.dataset.row);
    if (getSelection()?.isCollapsed === false && row === this.#active) return;
    await this.#activate(row);
    if (line.hasAttribute("aria-expanded")) this.#toggle(await this.#at(row));
  }

  async #toggle(node) {
    this.#pointed = -1;
    if (node.isOpen) {
      node.isOpen = false;
      node.parent?.open.delete(node.index);
      this.#changed();
    } else {
      await this.#openNode(node);
    }
  }

  async #activate(row) {
    this.#active = Math.max(0, Math.min(row, this.#root.rows - 1));
    this.#windowed.reveal(this.#active);
    this.#windowed.refresh();
    await this.#tell(await this.#at(this.#active));
  }

  async #key(event) {
    if (!this.#root || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const page = this.#windowed.sight - 1;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[key];
    if (step === undefined && !["ArrowLeft", "ArrowRight", "Enter"].includes(key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) {
      this.#activate(this.#itemAt(this.#active + step, Math.sign(step)));
      return;
    }
    const node = await this.#at(this.#active);
    if (key === "ArrowRight" && node.isOpen) this.#activate(this.#active + 1);
    else if (key === "ArrowLeft" && !node.isOpen) {
      this.#activate(node.parent === this.#root || !node.parent ? 0 : this.#rowOf(node.parent.parent, node.parent.index));
    } else if (node.isGroup) await this.#toggle(node);
  }

  /** The row that a step leads to; a line that only closes a group is skipped. */
  #itemAt(row, way) {
    const last = this.#root.rows - 1;
    let at = Math.min(Math.max(0, row), last);
    while (this.#place(at).isEnd && at < last && way > 0) at += 1;
    while (this.#place(at).isEnd && at > 0) at -= 1;
    return at;
  }

  /** The bar below: the place of the active value, and the buttons that copy it. */
  async #tell(node) {
    const path = [];
    for (let one = node; one.parent; one = one.parent) path.unshift(one.key);
    const value = node.isGroup ? null : shortened(await node.whole(), shownValue);
    this.#bar.hidden = false;
    fill(this.#bar,
      el("code", { class: "tree-path" }, pointer(path) || "(all of it)"),
      el("span", { class: "tree-copies" },
        copyButton(() => meaning(node), "Copy value"), copyButton(pointer(path), "Copy pointer"),
        copyButton(jsonPath(path), "Copy JSON path"), copyButton(jq(path), "Copy jq path")),
      value !== null && value.length > 80 && el("pre", { class: "tree-value" }, marked(value, this.#pattern)));
  }
}

/** A value as it is copied: a string without quotes and escapes, any other value as it stands. */
async function meaning(node) {
  const text = await node.whole();
  if (node.kind !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const shortened = (text, limit) => text.length > limit ? `${text.slice(0, limit)}…` : text;

/** A place as a JSON Pointer (RFC 6901). */
export const pointer = (path) => path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** A place as jq takes it, without the single quote that would end the word of a shell around it. */
export function jq(path) {
  const text = path.map((part) => {
    if (typeof part === "number") return `[${part}]`;
    return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part).replaceAll("'", "\\u0027")}]`;
  }).join("");
  return text.startsWith(".") ? text : `.${text}`;
}
