import { outline } from "./body-outline.js";
import { el, fill } from "./dom.js";
import { count } from "./format.js";

// HTML and XML as lines to fold.

const openDepth = 3;
const pageLength = 100;
// Lines that are drawn at once, in all lists together; further groups stay folded.
const drawnLines = 400;
// Characters of a line; Text has the rest of a longer line.
const lineLength = 500;

/** Markup set out by its elements. */
export class MarkupView {
  #ended = false;
  element = el("div", { class: "markup", role: "group", "aria-label": "Body as markup" });

  constructor(text) { this.#begin(text); }

  end() { this.#ended = true; }

  async #begin(text) {
    const reading = outline(await text.text());
    let step = reading.next();
    for (; !step.done && !this.#ended; step = reading.next()) await new Promise(requestAnimationFrame);
    if (this.#ended) return;
    const { nodes, isCut } = step.value;
    const rest = el("p", { class: "quiet" }, "The rest is left out here; Text shows everything.");
    fill(this.element, list(nodes, 0, { left: drawnLines }), isCut && rest);
  }
}

/** Nodes as a list, some at a time; `room.left` is the number of lines that may still be drawn. */
function list(nodes, depth, room) {
  const place = el("ul", {});
  let shown = 0;
  const more = el("button", { type: "button", class: "button small", onclick: () => next({ left: drawnLines }) });
  const next = (room) => {
    more.parentElement?.remove();
    const page = nodes.slice(shown, shown + Math.max(1, Math.min(pageLength, room.left)));
    shown += page.length;
    room.left -= page.length;
    place.append(...page.map((node) => el("li", {}, line(node, depth, room))));
    if (shown >= nodes.length) return;
    more.textContent = `Show more of ${count(nodes.length - shown)}`;
    place.append(el("li", {}, more));
  };
  next(room);
  return place;
}

function line(node, depth, room) {
  if (node.text !== undefined) return words(node.text, node.kind);
  const [only] = node.children;
  const isShort = !node.children.length || (node.children.length === 1 && only.text !== undefined && only.text.length < 80);
  if (isShort) return [words(node.open, "element"), only && words(only.text, only.kind), node.close && words(node.close, "element")];
  const inside = el("div", { class: "nested" });
  const show = (room) => {
    if (!inside.hasChildNodes()) inside.append(list(node.children, depth + 1, room), node.close ? words(node.close, "element") : "");
  };
  const isOpen = depth < openDepth && room.left > 0;
  const group = el("details", { open: isOpen, ontoggle: () => group.open && show({ left: drawnLines }) },
    el("summary", {}, words(node.open, "element"), el("span", { class: "folded" }, ` … ${shortened(node.close ?? "")}`)), inside);
  if (isOpen) show(room);
  return group;
}

/** A text with its kind; of a long text the beginning, and the length of the rest. */
function words(text, kind) {
  const more = text.length - lineLength;
  return [el("span", { class: kind || null }, shortened(text)), more > 0 && el("span", { class: "quiet" }, ` (${count(more)} characters more)`)];
}

const shortened = (text) => text.length > lineLength ? `${text.slice(0, lineLength)}…` : text;
