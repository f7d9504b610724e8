import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { count, counted, noun } from "./format.js";
import { exchangeLink } from "./links.js";

// Rules, and mistakes of a kind, that are told one by one.
const toldRules = 100;
const toldMistakes = 50;
// Exchanges of which the newest are tried first, in the order in which they were captured.
const stretch = 1000;
// Milliseconds after which an answer that is not there yet is said to be on its way.
const patience = 150;

// The trials that were asked for before. The server does one at a time, and those that wait there would hold the browser's few connections.
let before = Promise.resolve();

/** Asks when all that was asked before is answered or given up; not at all where this is given up by then. */
function inTurn(signal, ask) {
  const turn = before.then(() => (signal.aborted ? null : ask()));
  before = turn.catch(() => null);
  return turn;
}

/** What rules would have done to the recorded exchanges that the list's filter selects: asked for, given up for the next question, and drawn. */
export class RuleTrial {
  element;
  /** What is read out: not the rows. */
  #sum = el("p", { role: "status" });
  #rest = el("div", {});
  #view;
  #point;
  #abort = new AbortController();
  #late = 0;

  /** `point` is told the line and the column of a mistake that somebody wants to see. */
  constructor({ view, point = null }) {
    this.#view = view;
    this.#point = point;
    this.element = el("div", { class: "rule-trial" }, this.#sum, this.#rest);
  }

  /** Tries rules: {names} of the running proxy, or {yaml}, a text. */
  async run(asked) {
    this.stop();
    const { signal } = this.#abort = new AbortController();
    const late = this.#late = setTimeout(() => this.#show("Trying on what was recorded…"), patience);
    try {
      const answer = await inTurn(signal, () => api.post(`rules/try?${this.#view.filter}`, asked, { signal }));
      if (!signal.aborted) this.#draw(answer);
    } catch (error) {
      if (!signal.aborted) this.#show([], el("p", { class: "problem", role: "alert" }, error.message));
    } finally {
      clearTimeout(late);
    }
  }

  /** Gives up the question that is under way, which ends the work for it, and shows nothing. */
  stop() {
    this.#abort.abort();
    clearTimeout(this.#late);
    this.#show();
  }

  #show(sum = [], ...rest) {
    fill(this.#sum, sum);
    fill(this.#rest, ...rest);
  }

  #draw(answer) {
    const { problems, warnings } = answer;
    this.#show(answer.rules ? this.#words(answer) : mistaken(problems),
      this.#mistakes(problems, "problem mistakes"), this.#mistakes(warnings, "mistakes", "warning: "),
      answer.rules && this.#result(answer));
  }

  #mistakes(all, className, kind = "") {
    return all.length > 0 && [
      el("ul", { class: className }, all.slice(0, toldMistakes).map((one) => this.#mistake(one, kind))), more(all.length - toldMistakes),
    ];
  }

  #mistake({ line, column, sentence }, kind) {
    const words = `line ${line}, column ${column}`;
    return el("li", {},
      this.#point ? el("button", { type: "button", class: "button small", onclick: () => this.#point(line, column) }, words) : words,
      ` ${kind}${sentence}`);
  }

  #words({ of, late, looked, touched }) {
    const order = of > stretch ? `the newest ${count(stretch)} are tried first, and of these the oldest` : "the oldest are tried first";
    const end = late ? ` in the time that there is; of ${count(of)} ${order}` : "";
    return [
      el("b", {}, `Would have matched ${count(touched)} of ${counted(looked, "exchange")}`), end,
      this.#view.filter ? ", of those that the list's filter selects." : ".",
    ];
  }

  #result({ touched, rules, exchanges }) {
    return [
      el("ul", {}, rules.slice(0, toldRules).map((rule) => el("li", {}, [
        `${rule.name}: ${rule.on ? "" : "off, "}${counted(rule.hits, "time")}`,
        rule.shadowed > 0 && `shadowed ${counted(rule.shadowed, "time")}`,
        rule.skipped > 0 && `could not be judged ${counted(rule.skipped, "time")}`,
        rule.failed > 0 && `could not be done ${counted(rule.failed, "time")}`,
      ].filter(Boolean).join(", ")))),
      more(rules.length - toldRules, "rule"),
      exchanges.length > 0 && el("ul", { class: "tried", "aria-label": "The first exchanges" }, exchanges.map((one) => this.#row(one))),
      more(touched - exchanges.length),
    ];
  }

  #row({ exchange, changes, uses, mayDiffer, untried }) {
    const others = uses.filter(({ note }) => note).map(({ rule, note }) => `${rule}: ${note}`);
    const words = [changes, ...others].filter(Boolean).join(", ")
      || uses.map(({ rule, action, what }) => `${rule} (${action}${what && ` ${what}`})`).join(", ");
    return el("li", {},
      exchangeLink(this.#view, exchange.id, { text: `${exchange.id} ${exchange.method} ${exchange.url}` }), ` ${exchange.code ?? ""}`,
      el("div", { class: "quiet" }, words, mayDiffer && "; the answer may differ",
        untried && `; rules for the response were not tried: ${untried}`));
  }
}

/** How many mistakes there are, and where the first is: what is read out of them. */
const mistaken = ([first, ...rest]) =>
  `${counted(rest.length + 1, "mistake")}, ${rest.length > 0 ? "the first " : ""}in line ${first.line}, column ${first.column}.`;

/** What says that a list has more than is told. */
const more = (rest, what = "") => rest > 0 && el("p", { class: "quiet" }, `and ${count(rest)} more${what && ` ${noun(rest, what)}`}`);
