import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { count } from "./format.js";

// Nodes of a tree that begin unfolded: those of its first levels.
const unfoldedDepth = 2;

/** What the lens of an exchange reads in it: asked for once, drawn where it is put, and told of when it is a failure in disguise. */
export class DecodedView {
  #id;
  #element = el("div", { class: "decoded" });
  #alarm = el("p", { class: "alarm", hidden: true });
  #failure = null;
  #findings = [];
  #place = el("div", { class: "findings" });
  #abort = new AbortController();
  #asked = null;

  /** Of an exchange, or of the number of one; what failed inside one with a lens is asked for at once. */
  constructor(exchange) {
    this.#id = exchange.id ?? exchange;
    if (exchange.lens) this.load();
  }

  /** The view, and what is wrong with the exchange under it. */
  get element() {
    this.load();
    return this.#element;
  }

  /** The sentence that says why a success is none; hidden while there is nothing to say. */
  get alarm() { return this.#alarm; }

  /** What of its lens's rules the exchange breaks, drawn too; none where that cannot be known. */
  async findings() {
    await this.load();
    return { findings: this.#findings, failure: this.#failure, element: list(this.#findings) };
  }

  /** Asks for the view, unless that was done. */
  load() { return this.#asked ??= this.#ask(); }

  /** Stops what is under way. */
  end() { this.#abort.abort(); }

  async #ask() {
    fill(this.#element, el("p", { class: "quiet", role: "status" }, "Decoding…"));
    try {
      const view = await this.#get("decoded");
      if (view?.failure) {
        this.#failure = view.failure;
        fill(this.#alarm, el("b", {}, "Failed inside: "), view.failure).hidden = false;
      }
      fill(this.#element, view ? [overview(view), view.sections.map(section)] : el("p", { class: "quiet" }, "No lens reads this exchange."), this.#place);
      this.#findings = (await this.#get("findings")).findings;
      fill(this.#place, list(this.#findings));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#element, el("p", { class: "quiet" }, error.message));
    }
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
  return el("section", {}, el("h3", {}, title), draw?.(content));
}

const fields = ({ fields }) => el("dl", { class: "facts" },
  fields.map(({ name, value }) => [el("dt", {}, name), el("dd", { class: value.tone }, value.text)]));

function table({ columns, rows, total }) {
  return [
    el("div", { class: "wide" }, el("table", { class: "fields" },
      el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map(({ text, tone }) => el("td", { class: tone }, text))))))),
    total > rows.length && el("p", { class: "quiet" }, `${count(total - rows.length)} more of ${count(total)}.`),
  ];
}

const tree = ({ nodes }) => el("ul", { class: "nodes" }, nodes.map((one) => node(one, 0)));

function node({ label, detail, children }, depth) {
  const words = [el("span", { class: label.tone }, label.text), detail && [" ", el("span", { class: `beside ${detail.tone}` }, detail.text)]];
  if (!children.length) return el("li", {}, words);
  return el("li", {}, el("details", { open: depth < unfoldedDepth },
    el("summary", {}, words), el("ul", {}, children.map((child) => node(child, depth + 1)))));
}

const text = ({ text }) => el("pre", { class: "text" }, text);

/** What of its lens's rules an exchange breaks, one a line; nothing where it keeps them all. */
function list(findings) {
  if (!findings.length) return null;
  return el("section", {}, el("h3", {}, `Findings (${count(findings.length)})`), el("ul", { class: "found" },
    findings.map(({ rule, side, pointer, message, consequence, severity }) => el("li", { class: severity },
      el("code", {}, rule), " ", el("span", { class: "quiet" }, `${side}${pointer ? ` ${pointer}` : ""}`), " ", message,
      consequence && el("span", { class: "consequence" }, ` ${consequence}`)))));
}
