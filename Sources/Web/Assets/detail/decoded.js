import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { count } from "./format.js";

// Nodes of a tree that begin unfolded: those of its first levels, in a tree that is not long.
const unfoldedDepth = 2;
const shortTree = 120;
// Rows of a table that are drawn at first.
const tablePage = 100;
// Findings that are drawn at first.
const findingsPage = 50;

/** The lens's view of an exchange: asked for once, and drawn where it is put; a failure under a status of success is told at once. */
export class DecodedView {
  #id;
  #element = el("div", { class: "decoded" });
  #alarm = el("p", { class: "alarm", hidden: true });
  #failure = null;
  #findings = [];
  #place = el("div", { class: "findings" });
  #abort = new AbortController();
  #asked = null;

  #show;

  /**
   * Takes an exchange or its number; whether an exchange with a lens failed inside is asked for at once.
   *
   * `show(id, {tab, pointer})` leads to a place in a body.
   */
  constructor(exchange, show = null) {
    this.#show = show;
    this.#id = exchange.id ?? exchange;
    if (exchange.lens) this.load();
  }

  /** The view, and below it the problems of the exchange. */
  get element() {
    this.load();
    return this.#element;
  }

  /** The sentence that says why a success is a failure; hidden for any other exchange. */
  get alarm() { return this.#alarm; }

  /** The rules of its lens that the exchange breaks, drawn too; none where they are not known. */
  async findings() {
    await this.load();
    return { findings: this.#findings, failure: this.#failure, element: this.#list(this.#findings) };
  }

  /** Asks for the view, once. */
  load() { return this.#asked ??= this.#ask(); }

  /** Stops the work that is under way. */
  end() { this.#abort.abort(); }

  async #ask() {
    fill(this.#element, el("p", { class: "quiet", role: "status" }, "Decoding…"));
    try {
      const view = await this.#get("decoded");
      if (view?.failure) {
        this.#failure = view.failure;
        fill(this.#alarm, el("b", {}, "Failed inside: "), view.failure).hidden = false;
      }
      fill(this.#element, view ? this.#parts(view) : el("p", { class: "quiet" }, "No lens reads this exchange."));
      this.#findings = (await this.#get("findings")).findings;
      fill(this.#place, this.#list(this.#findings));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#element, el("p", { class: "quiet" }, error.message));
    }
  }

  /** The lens's summary, links to the parts where there are many, the parts, and the findings beside them. */
  #parts(view) {
    const sections = view.sections.map(section);
    const ways = sections.map((one) => el("button", {
      type: "button", class: "button small", onclick: () => one.scrollIntoView({ block: "start" }),
    }, one.dataset.title));
    return [
      overview(view), sections.length > 2 && el("nav", { class: "sections", "aria-label": "Parts of what was decoded" }, ways),
      el("div", { class: "decoded-parts" }, el("div", { class: "sections-of" }, sections), this.#place),
    ];
  }

  /** The rules of its lens that an exchange breaks, breaches first, each with a link to its place; null where it keeps them all. */
  #list(findings) {
    if (!findings.length) return null;
    const sorted = findings.toSorted((one, other) => one.severity.localeCompare(other.severity));
    return el("section", { class: "found-beside" },
      el("h3", {}, `Findings (${count(findings.length)})`),
      paged(sorted, findingsPage, el("ul", { class: "found" }), (one) => this.#finding(one)));
  }

  #finding({ rule, side, pointer, message, consequence, severity }) {
    const place = `${side}${pointer ? ` ${pointer}` : ""}`;
    const href = this.#show && `/exchanges/${this.#id}#${side}${pointer ? `:${encodeURI(pointer)}` : ""}`;
    return el("li", { class: severity }, el("code", {}, rule), " ",
      this.#show ? el("a", { class: "place-link", href, onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.#show(this.#id, { tab: side, pointer });
      } }, place) : el("span", { class: "quiet" }, place),
      " ", message, consequence && el("span", { class: "consequence" }, ` ${consequence}`));
  }

  #get(part) { return api.get(`exchanges/${this.#id}/${part}`, { signal: this.#abort.signal }); }
}

function overview({ title, lens, request, response }) {
  const rows = [["Request", request], ["Response", response]].filter(([, words]) => words !== null);
  return el("section", {},
    el("h3", {}, title, " ", el("span", { class: "badge" }, lens)),
    el("dl", { class: "facts" }, rows.map(([name, words]) => [el("dt", {}, name), el("dd", {}, words)])));
}

function section({ title, kind, ...content }) {
  const draw = { fields, table, tree, text }[kind];
  return el("section", { "data-title": title }, el("h3", {}, title), draw?.(content));
}

const fields = ({ fields }) => el("dl", { class: "facts" },
  fields.map(({ name, value }) => [el("dt", {}, name), el("dd", { class: value.tone }, value.text)]));

function table({ columns, rows, total }) {
  const cell = ({ text, tone }, index) => el(index === 0 ? "th" : "td", { class: tone, scope: index === 0 ? "row" : null }, text);
  const [lines, more] = paged(rows, tablePage, el("tbody", {}), (row) => el("tr", {}, row.map(cell)));
  const scrolls = rows.length > 8 ? { tabindex: "0", role: "group", "aria-label": "Rows, to be scrolled" } : {};
  return [
    el("div", { class: "wide", ...scrolls }, el("table", { class: "fields" },
      el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))), lines)),
    more,
    total > rows.length && el("p", { class: "quiet" }, `${count(total - rows.length)} more of ${count(total)}.`),
  ];
}

/** The first of many items, drawn into an element, and a button for the rest where there is one. */
function paged(items, length, element, draw) {
  const add = (from) => element.append(...items.slice(from, from + length).map(draw));
  add(0);
  if (items.length <= length) return [element, null];
  const more = el("button", { type: "button", class: "button small", onclick: () => {
    add(element.children.length);
    const rest = items.length - element.children.length;
    if (rest === 0) more.remove();
    more.textContent = `Show more of ${count(rest)}`;
  } }, `Show more of ${count(items.length - length)}`);
  return [element, more];
}

function tree({ nodes }) {
  const size = (list) => list.reduce((sum, { children }) => sum + 1 + size(children), 0);
  const depth = size(nodes) > shortTree ? 1 : unfoldedDepth;
  const list = el("ul", { class: "nodes" }, nodes.map((one) => node(one, 0, depth)));
  if (!nodes.some(({ children }) => children.length)) return list;
  const all = (isOpen) => list.querySelectorAll("details").forEach((one) => { one.open = isOpen; });
  const button = (text, isOpen) => el("button", { type: "button", class: "button small", onclick: () => all(isOpen) }, text);
  return [
    el("div", { class: "tree-tools" }, button("Unfold all", true), button("Fold all", false)),
    list,
  ];
}

function node({ label, detail, children }, depth, openDepth) {
  const words = [el("span", { class: label.tone }, label.text), detail && [" ", el("span", { class: `beside ${detail.tone}` }, detail.text)]];
  if (!children.length) return el("li", {}, words);
  return el("li", {}, el("details", { open: depth < openDepth },
    el("summary", {}, words), el("ul", {}, children.map((child) => node(child, depth + 1, openDepth)))));
}

const text = ({ text }) => el("pre", { class: "text" }, text);
