import { el, fill } from "./dom.js";
import { count, counted } from "./format.js";
import { exchangeLink } from "./links.js";

/** What a broken rule is called: by its words, how often it is broken, and the first of what breaks it. */
export function ruleHead(rule) {
  const [first] = rule.findings;
  return el("summary", {},
    el("span", { class: `severity ${rule.severity}` }, rule.severity), " ", el("b", {}, rule.title), " ", el("code", {}, rule.rule), " ",
    el("span", { class: "quiet times" }, times(rule)), " ",
    first && el("span", { class: "quiet breach-line" }, `as in ${first.exchange}: ${shortened(first.message)}`));
}

const times = ({ count: number, exchanges }) => `${count(number)} in ${counted(exchanges, "exchange")}`;

/** A finding of a rule, with a link to the place it speaks of. */
export function findingLine(view, { exchange, method, url, side, pointer, message, consequence }, { isNamed = true } = {}) {
  return el("li", {},
    exchangeLink(view, exchange, { tab: side, pointer, text: isNamed ? `${exchange} ${method} ${shortened(url)}` : `exchange ${exchange}` }),
    " ", el("span", { class: "quiet" }, [side === "request" && "request", pointer].filter(Boolean).join(" ")), " ", message,
    consequence && el("span", { class: "consequence" }, ` ${consequence}`));
}

/** An address without its origin, cut where it is long. */
function shortened(url) {
  const path = url.replace(/^\w+:\/\/[^/]+/, "");
  return path.length > 80 ? `${path.slice(0, 79)}…` : path;
}

/**
 * A check that is not at its end: how far it is, and what it has found so far.
 *
 * A rule keeps its place while the numbers grow, and what stands is written over, not drawn anew: whoever reads or points at it is not disturbed. The
 * numbers change several times a second, so that nothing of it is read out by itself.
 */
export class CheckUnderWay {
  element = el("section", { class: "under-way", "aria-label": "The check under way" });
  #view;
  #bar = el("progress", { "aria-label": "Exchanges looked at" });
  #words = el("p", { class: "sum" });
  #list = el("div");
  /** The rules that are drawn, each with its list and how many findings are in it, by their names. */
  #rules = new Map();

  constructor(view) { this.#view = view; }

  /** Takes a line of the answer; nothing is drawn before the first. */
  tell({ looked, total, exchanges, rules }) {
    if (!this.element.firstChild) fill(this.element, this.#words, this.#bar, this.#list);
    // An empty store is looked at whole.
    this.#bar.max = Math.max(1, total);
    this.#bar.value = total > 0 ? looked : 1;
    const selected = this.#view.filter ? `, of which the filter selects ${count(exchanges)}` : "";
    fill(this.#words, `Looked at ${count(looked)} of ${counted(total, "exchange")}${selected}; `,
      rules.length > 0 ? `${counted(rules.length, "rule is", "rules are")} broken so far.` : "nothing found so far.");
    const { severity = "" } = this.#view.details;
    for (const rule of rules) if (!severity || rule.severity === severity) this.#draw(rule);
  }

  /** The names of the rules that are unfolded, and of the one that has the focus. */
  get unfolded() {
    const drawn = [...this.#list.children];
    return {
      rules: drawn.filter(({ open }) => open).map(({ dataset }) => dataset.rule),
      focused: drawn.find((one) => one.contains(document.activeElement))?.dataset.rule ?? null,
    };
  }

  #draw(rule) {
    let drawn = this.#rules.get(rule.rule);
    if (!drawn) {
      drawn = { head: ruleHead(rule), list: el("ul", { class: "found" }), length: 0 };
      this.#rules.set(rule.rule, drawn);
      this.#list.append(el("details", { class: `broken ${rule.severity}`, "data-rule": rule.rule },
        drawn.head, el("p", { class: "quiet" }, rule.consequence), drawn.list));
    }
    drawn.head.querySelector(".times").textContent = times(rule);
    for (const one of rule.findings.slice(drawn.length)) {
      drawn.list.append(findingLine(this.#view, { ...one, consequence: one.consequence === rule.consequence ? null : one.consequence }));
    }
    drawn.length = Math.max(drawn.length, rule.findings.length);
  }
}
