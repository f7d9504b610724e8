import { el, fill } from "./dom.js";
import { count } from "./format.js";

// HTML and XML as lines to fold. The text is taken apart by hand and stays text: it is never given to a parser that could load or run anything.

const token = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<[!?][^>]*>?|<\/?[A-Za-z_:][^\s>/]*(?:[^>"']|"[^"]*"|'[^']*')*>|[^<]+|</g;
const single = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]);
const raw = /^(script|style|textarea|title)$/;
const nodeLimit = 200_000;
const openDepth = 3;
const pageLength = 300;

/** Markup set out by its elements. */
export class MarkupView {
  element = el("div", { class: "markup", role: "group", "aria-label": "Body as markup" });

  constructor(text) {
    text.text().then((whole) => {
      const { nodes, isCut } = outline(whole);
      fill(this.element, list(nodes, 0), isCut && el("p", { class: "quiet" }, "The rest is left out here; Text has all of it."));
    });
  }
}

/** The nodes of a text: {text} or {open, close, children}. */
function outline(text) {
  const root = { children: [] };
  const stack = [root];
  let number = 0;
  token.lastIndex = 0;
  for (let match = token.exec(text); match && number < nodeLimit; match = token.exec(text)) {
    const part = match[0];
    const [, slash, name] = /^<(\/?)([A-Za-z_:][^\s>/]*)/.exec(part) ?? [];
    const top = stack.at(-1);
    if (!name) {
      if (part.trim()) top.children.push({ text: part.trim(), kind: part.startsWith("<!--") ? "comment" : part.startsWith("<") ? "quiet" : "" });
    } else if (slash) {
      const at = stack.findLastIndex((node) => node.name === name);
      if (at > 0) {
        stack[at].close = part;
        stack.length = at;
      } else {
        top.children.push({ text: part, kind: "element" });
      }
    } else {
      const node = { name, open: part, close: null, children: [] };
      top.children.push(node);
      if (part.endsWith("/>") || single.has(name.toLowerCase())) continue;
      if (raw.test(name.toLowerCase())) {
        const end = text.toLowerCase().indexOf(`</${name.toLowerCase()}`, token.lastIndex);
        const inner = text.slice(token.lastIndex, end < 0 ? text.length : end);
        if (inner.trim()) node.children.push({ text: inner.trim(), kind: "" });
        token.lastIndex += inner.length;
      }
      if (stack.length < 400) stack.push(node);
    }
    number += 1;
  }
  return { nodes: root.children, isCut: number >= nodeLimit };
}

function list(nodes, depth) {
  const place = el("ul", {});
  let shown = 0;
  const more = el("button", { type: "button", class: "button small", onclick: () => next() });
  const next = () => {
    more.remove();
    place.append(...nodes.slice(shown, shown + pageLength).map((node) => el("li", {}, line(node, depth))));
    shown += pageLength;
    if (shown >= nodes.length) return;
    more.textContent = `Show more of ${count(nodes.length - shown)}`;
    place.append(el("li", {}, more));
  };
  next();
  return place;
}

function line(node, depth) {
  if (node.text !== undefined) return el("span", { class: node.kind || null }, node.text);
  const [only] = node.children;
  const isShort = !node.children.length || (node.children.length === 1 && only.text !== undefined && only.text.length < 80);
  if (isShort) return [el("span", { class: "element" }, node.open), only && el("span", { class: only.kind || null }, only.text), node.close && el("span", { class: "element" }, node.close)];
  const inside = el("div", { class: "nested" });
  const show = () => {
    if (!inside.hasChildNodes()) inside.append(list(node.children, depth + 1), node.close ? el("span", { class: "element" }, node.close) : "");
  };
  const group = el("details", { open: depth < openDepth, ontoggle: show },
    el("summary", {}, el("span", { class: "element" }, node.open), el("span", { class: "folded" }, ` … ${node.close ?? ""}`)), inside);
  if (depth < openDepth) show();
  return group;
}
