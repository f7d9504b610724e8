import * as api from "./api.js";
import { choice, labelled, searchBox, segments } from "./controls.js";
import { el, fill } from "./dom.js";
import { CheckUnderWay, findingLine, ruleHead } from "./finding.js";
import { count, counted } from "./format.js";
import { LensPlace, portion } from "./lens-place.js";
import { exchangeLink } from "./links.js";

const groupings = [["rule", "Rule"], ["exchange", "Exchange"]];
const severities = [["", "Breaches and notices"], ["breach", "Breaches"], ["notice", "Notices"]];

/** The rules of their lenses that the exchanges break, by rule or by exchange, each with a link to its place. */
export class Findings extends LensPlace {
  name = "findings";
  title = "Findings";
  nothing = "Nothing to check";
  #sum; #controls; #list; #underWay;
  #answer = null;
  #asked = null;
  #isChoosing = false;

  build(body) {
    this.#sum = el("p", { class: "sum", role: "status" });
    this.#controls = el("div", { class: "controls" });
    this.#list = el("section", { "aria-label": "Findings" });
    this.#underWay = el("div");
    this.#asked = null;
    fill(body, this.#sum, this.#controls, this.#underWay, this.#list);
  }

  async ask({ signal }) {
    if (this.#asked !== this.view.filter) {
      const { filter } = this.view;
      this.#asked = null;
      for (const part of [this.#sum, this.#controls, this.#list]) fill(part);
      const way = new CheckUnderWay(this.view);
      fill(this.#underWay, way.element);
      try {
        this.#answer = await this.#check(filter, { signal, tell: (line) => way.tell(line) });
      } catch (error) {
        // A check that broke off goes no further.
        if (!signal.aborted) fill(this.#underWay);
        throw error;
      }
      if (signal.aborted) return;
      this.#asked = filter;
      const { unfolded } = way;
      fill(this.#underWay);
      this.#drawControls();
      this.#draw();
      this.#unfold(unfolded);
      return;
    }
    // The address may say otherwise than the controls: a link leads here, or somebody goes back.
    if (!this.#isChoosing) this.#drawControls();
    this.#draw();
  }

  /** Takes a choice of the controls, which show it already. */
  #choose(details) {
    this.#isChoosing = true;
    this.keep(details);
    this.#isChoosing = false;
  }

  /** The check of a filter; `tell` gets each line on how far it is. The server stops a check whose asker leaves. */
  async #check(filter, { signal, tell }) {
    let answer = null;
    await api.getLines(`check?${[filter, "progress=true"].filter(Boolean).join("&")}`, {
      signal,
      tell: (line) => {
        if (line.error) throw new api.Refusal(500, line.error);
        if (line.holds === undefined) tell(line);
        else answer = line;
      },
    });
    if (!answer) throw new api.Refusal(500, "The check broke off.");
    return answer;
  }

  /** Unfolds the rules that were unfolded while the check was under way, and puts the focus where it was. */
  #unfold({ rules, focused }) {
    for (const one of this.#list.querySelectorAll(".rule[data-rule]")) {
      one.open = rules.includes(one.dataset.rule);
      if (one.dataset.rule === focused) one.querySelector("summary").focus({ preventScroll: true });
    }
  }

  #drawControls() {
    const { by = "rule", severity = "", search = "" } = this.view.details;
    fill(this.#controls,
      el("div", { class: "control" }, el("span", {}, "Grouped by"), segments("Grouped by", groupings, by, (value) => {
        this.#choose({ by: value === "rule" ? "" : value });
      })),
      labelled("Severity", choice(severities, severity, (value) => this.#choose({ severity: value }))),
      labelled("Find", searchBox("Rule, address, place or words", search, (text) => this.#choose({ search: text }))));
  }

  #draw() {
    const { by = "rule", severity = "", search = "" } = this.view.details;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const isShown = (rule) => (one) => {
      const text = `${rule.rule} ${rule.title} ${one.exchange} ${one.url} ${one.pointer} ${one.message}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const rules = this.#answer.rules.filter((rule) => !severity || rule.severity === severity)
      .map((rule) => ({ ...rule, shown: rule.findings.filter(isShown(rule)) })).filter(({ shown }) => shown.length > 0);
    const sum = (level, one, many) => {
      const own = rules.filter((rule) => rule.severity === level);
      const found = own.reduce((sum, rule) => sum + (words.length ? rule.shown.length : rule.count), 0);
      return own.length > 0 && `${counted(found, one, many)} of ${counted(own.length, "rule")}`;
    };
    const found = [sum("breach", "breach", "breaches"), sum("notice", "notice")].filter(Boolean).join(" and ");
    const { exchanges, checked } = this.#answer;
    fill(this.#sum, `${found || "Nothing found"} in ${counted(exchanges, "exchange")} of which ${counted(checked, "has", "have")} rules.`);
    fill(this.#list,
      rules.length === 0 && el("p", { class: "quiet" },
        this.#answer.rules.length ? "No finding matches." : "Every exchange keeps the rules of its lens."),
      by === "exchange" ? this.#byExchange(rules) : rules.map((rule) => this.#rule(rule)), this.#changes(), this.#unchecked());
  }

  #rule(rule) {
    // One that is shown may stand for more.
    const rest = rule.findings.reduce((left, { more }) => left - 1 - more, rule.count);
    return el("details", { class: `rule ${rule.severity}`, "data-rule": rule.rule },
      ruleHead(rule),
      el("p", { class: "quiet" }, rule.consequence),
      el("ul", { class: "found" }, portion(rule.shown, ({ consequence, ...one }) =>
        findingLine(this.view, { ...one, consequence: consequence === rule.consequence ? null : consequence }))),
      rest > 0 && el("p", { class: "quiet" }, `${count(rest)} more; a filter on the list narrows what is checked.`));
  }

  #byExchange(rules) {
    const groups = new Map();
    for (const rule of rules) for (const one of rule.shown) {
      if (!groups.has(one.exchange)) groups.set(one.exchange, []);
      groups.get(one.exchange).push({ ...one, rule });
    }
    return portion([...groups].sort(([one], [other]) => one - other), ([id, findings]) => {
      const [{ method, url }] = findings;
      return el("details", { class: "rule", "data-exchange": id },
        el("summary", {}, el("b", {}, String(id)), ` ${method} ${url} `,
          el("span", { class: "quiet" }, count(findings.reduce((sum, { more }) => sum + 1 + more, 0)))),
        el("ul", { class: "found" }, findings.map(({ rule, ...one }) => el("li", { class: rule.severity },
          el("span", { class: `severity ${rule.severity}` }, rule.severity), " ", el("code", {}, rule.rule), ` ${rule.title}`,
          el("ul", {}, findingLine(this.view, one, { isNamed: false }))))));
    });
  }

  #changes() {
    const { changes, changed } = this.#answer;
    return changes.length > 0 && el("section", { class: "changes" },
      el("h3", {}, `Changed between captures (${count(changed)})`), el("ul", {}, changes.map((one) => this.#change(one))));
  }

  #change({ before, after, method, url, changes }) {
    const details = { left: String(before), right: String(after) };
    return el("li", {},
      exchangeLink(this.view, before, { text: String(before) }), " → ", exchangeLink(this.view, after, { text: String(after) }), ` ${method} ${url} `,
      el("a", { class: "button small", href: `/compare?left=${before}&right=${after}`, onclick: (event) => {
        event.preventDefault();
        this.view.change({ place: "compare", details, chosen: null });
      } }, "Compare"),
      el("ul", {}, changes.map((sentence) => el("li", {}, sentence))));
  }

  #unchecked() {
    const { unchecked } = this.#answer;
    return unchecked.length > 0 && el("section", {},
      el("h3", {}, "Not checked"),
      el("ul", {}, unchecked.map(({ exchange, message, more }) => el("li", {},
        exchange && [exchangeLink(this.view, exchange), ": "], message, more > 0 && ` (and ${count(more)} more)`))));
  }
}
