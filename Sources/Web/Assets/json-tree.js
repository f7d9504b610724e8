// JSON as a tree to fold. Reads the text itself, so that numbers keep every digit and repeated keys stay repeated.

import { el } from "./dom.js";
import { count } from "./format.js";

const depthLimit = 200;
const pageLength = 200;
const openDepth = 2;

/** The tree of a text; null when it is not JSON. */
export function parse(text) {
  const reader = new Reader(text.startsWith("\uFEFF") ? text.slice(1) : text);
  try {
    const node = reader.value(0);
    reader.blanks();
    return reader.isAtEnd ? node : null;
  } catch {
    return null;
  }
}

/** Draws a tree; children are made when they are first unfolded. */
export function draw(node) {
  const root = el("div", { class: "tree", role: "tree", "aria-label": "JSON body" });
  root.append(branch(null, node, 0));
  root.addEventListener("keydown", (event) => move(root, event));
  root.querySelector("[role=treeitem]")?.setAttribute("tabindex", "0");
  return root;
}

class Reader {
  #text;
  #at = 0;
  #string = /"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y;
  #scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
  #blank = /[ \t\r\n]*/y;

  constructor(text) { this.#text = text; }

  get isAtEnd() { return this.#at === this.#text.length; }

  blanks() {
    this.#blank.lastIndex = this.#at;
    this.#at += this.#blank.exec(this.#text)[0].length;
  }

  value(depth) {
    if (depth > depthLimit) throw new SyntaxError("too deep");
    this.blanks();
    const character = this.#text[this.#at];
    if (character === "{") return this.#group("object", "}", depth);
    if (character === "[") return this.#group("array", "]", depth);
    if (character === '"') return { kind: "string", text: this.#quoted() };
    const text = this.#take(this.#scalar);
    return { kind: /[-\d]/.test(text[0]) ? "number" : text === "null" ? "null" : "boolean", text };
  }

  #group(kind, close, depth) {
    this.#at += 1;
    const children = [];
    this.blanks();
    if (this.#skip(close)) return { kind, children };
    do {
      this.blanks();
      let key = children.length;
      if (kind === "object") {
        key = this.#quoted();
        this.blanks();
        if (!this.#skip(":")) throw new SyntaxError("no colon");
      }
      children.push([key, this.value(depth + 1)]);
      this.blanks();
    } while (this.#skip(","));
    if (!this.#skip(close)) throw new SyntaxError("no end");
    return { kind, children };
  }

  /** A string's meaning; half a surrogate pair stays as it is. */
  #quoted() { return JSON.parse(this.#take(this.#string)); }

  #skip(character) {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern) {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) throw new SyntaxError("unexpected");
    this.#at += match[0].length;
    return match[0];
  }
}

function branch(key, node, depth) {
  const name = key === null ? null : el("span", { class: typeof key === "number" ? "index" : "key" }, String(key), ": ");
  if (!node.children) {
    const text = node.kind === "string" ? JSON.stringify(node.text) : node.text;
    return el("div", { class: "leaf", role: "treeitem", tabindex: "-1" }, name, el("span", { class: `json-${node.kind}` }, text));
  }
  const [open, close] = node.kind === "object" ? ["{", "}"] : ["[", "]"];
  if (!node.children.length) return el("div", { class: "leaf", role: "treeitem", tabindex: "-1" }, name, open + close);
  const children = el("div", { class: "children", role: "group", hidden: true });
  const noun = node.kind === "object" ? "key" : "item";
  const summary = `${count(node.children.length)} ${noun}${node.children.length === 1 ? "" : "s"}`;
  const line = el("div", { class: "line" }, el("span", { class: "twist", "aria-hidden": "true" }), name, open,
    el("span", { class: "folded" }, ` ${summary} `, close));
  const item = el("div", { class: "branch", role: "treeitem", tabindex: "-1", "aria-expanded": "false" }, line, children,
    el("div", { class: "close", "aria-hidden": "true" }, close));
  item.fold = (isOpen) => {
    if (isOpen && !children.hasChildNodes()) page(children, node, 0, depth);
    children.hidden = !isOpen;
    item.setAttribute("aria-expanded", String(isOpen));
  };
  line.addEventListener("click", () => item.fold(children.hidden));
  if (depth < openDepth || (depth < 4 && node.children.length <= 3)) item.fold(true);
  return item;
}

function page(children, node, from, depth) {
  const end = Math.min(node.children.length, from + pageLength);
  for (const [key, child] of node.children.slice(from, end)) children.append(branch(key, child, depth + 1));
  if (end === node.children.length) return;
  const more = el("button", { type: "button", class: "button small" }, `Show more of ${count(node.children.length - end)}`);
  more.addEventListener("click", () => {
    more.remove();
    page(children, node, end, depth);
  });
  children.append(more);
}

/** The keys of a tree (ARIA Authoring Practices, tree view). */
function move(root, event) {
  const items = [...root.querySelectorAll("[role=treeitem]")].filter((item) => item.offsetParent !== null);
  const at = items.indexOf(event.target.closest("[role=treeitem]"));
  if (at < 0) return;
  const item = items[at];
  const isOpen = item.getAttribute("aria-expanded");
  let to = null;
  if (event.key === "ArrowDown") to = items[at + 1];
  else if (event.key === "ArrowUp") to = items[at - 1];
  else if (event.key === "Home") to = items[0];
  else if (event.key === "End") to = items.at(-1);
  else if (event.key === "ArrowRight" && isOpen === "false") item.fold(true);
  else if (event.key === "ArrowRight" && isOpen === "true") to = items[at + 1];
  else if (event.key === "ArrowLeft" && isOpen === "true") item.fold(false);
  else if (event.key === "ArrowLeft") to = item.parentElement.closest("[role=treeitem]");
  else if (event.key === "Enter" && isOpen) item.fold(isOpen === "false");
  else return;
  event.preventDefault();
  if (!to) return;
  item.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
}
