import { copyButton, el } from "./dom.js";
import { marked } from "./highlight.js";
import { paged } from "./paged.js";
import { pairs } from "./tables.js";

const lineEnd = /\r?\n/;

/** A head as it was, line for line; lines that the other head lacks get the mark. */
export function rawHead(title, text, { other = null, mark = "", pattern = null } = {}) {
  const known = other === null ? null : new Set(other.split(lineEnd));
  const lines = text.replace(/(\r?\n)+$/, "").split(lineEnd);
  const head = el("pre", { class: "head", tabindex: "0", "aria-label": title });
  const section = el("section", {}, el("h3", {}, title), el("div", { class: "corner" }, copyButton(text)), head);
  paged(head, lines.map((line, index) => [line, index]), ([line, index]) => {
    const colon = index === 0 ? -1 : line.indexOf(":");
    const parts = colon < 0 ? [marked(line, pattern)] : [el("b", {}, marked(line.slice(0, colon), pattern)), marked(line.slice(colon), pattern)];
    const isOther = known !== null && !known.has(line);
    return el("span", { class: `${index === 0 ? "start" : ""} ${isOther ? mark : ""}`, title: isOther && mark ? titles[mark] : null }, parts, "\n");
  });
  return section;
}

const titles = { removed: "Not in what was sent on", added: "Not in what was received" };

/** The fields of a head as a table; those that the other head lacks get the mark. */
export function fieldTable(title, fields, { other = null, mark = "", pattern = null } = {}) {
  const known = other === null ? null : new Set(other.map(([name, value]) => `${name}\n${value}`));
  return pairs(title, fields.map(([name, value]) => [name, value, known && !known.has(`${name}\n${value}`) ? mark : ""]), pattern);
}

/** The fields of a head's text. */
export const fieldsOf = (text) => text.split(lineEnd).slice(1).filter(Boolean).map((line) => {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).trim()];
});
