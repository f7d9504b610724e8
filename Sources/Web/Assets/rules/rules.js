import { copyButton, el, fill, say } from "./dom.js";
import { count, counted, noun, shellWord } from "./format.js";
import { portion } from "./lens-place.js";
import { link } from "./links.js";
import { RuleDraft } from "./rule-draft.js";
import { RuleRow } from "./rule-row.js";

// Rules that are drawn before the rest is asked for.
const portionLength = 200;

const example = `rules:
- name: checkout is flaky
  when: method:POST path:/checkout
  respond:
  - {status: 503, times: 2}
  - {status: 201, json: {id: "\${uuid}"}}
`;

/** The rules by which the running proxy changes traffic, in their order, each with its switch and with what it has done: a place of the page. */
export class Rules {
  title = "Rules";
  isQuiet;
  #view;
  #instance;
  #running;
  #rows = new Map();
  /** The problems, and the names of the rules, that are drawn. */
  #drawn = { problems: "", rules: "" };
  #title; #sum; #notice; #problems; #list; #draft;
  /** What was typed to be tried. */
  #typed = "";
  /** The filter that the shown trials were asked with. */
  #filter = "";
  #draw = () => this.#show();

  constructor({ view, instance, running }) {
    this.#view = view;
    this.#instance = instance;
    this.#running = running;
    this.isQuiet = !running.isRunning;
  }

  open() {
    this.#title = el("h2", { tabindex: "-1" }, this.title);
    this.#sum = el("p", { class: "sum" });
    this.#notice = el("div", { class: "place-notice", role: "status" });
    this.#problems = el("div", {});
    this.#list = el("div", {});
    this.#draft = new RuleDraft({ view: this.#view, text: this.#typed, keep: (text) => { this.#typed = text; } });
    this.#filter = this.#view.filter;
    this.#rows.clear();
    this.#drawn = { problems: "", rules: "" };
    document.title = `${this.title} · inspect`;
    this.#running.addEventListener("changed", this.#draw);
    this.#running.show(true);
    this.#show();
    return el("article", { class: "page rules" },
      el("header", { class: "place-head" }, this.#title), this.#notice, this.#problems, this.#sum,
      this.#draft.element, this.#list);
  }

  close() {
    this.#running.removeEventListener("changed", this.#draw);
    this.#running.show(false);
    this.#draft.end();
    for (const row of this.#rows.values()) row.end();
  }

  /** The rules are the same whatever the filter; what they would have done is not. */
  update() {
    if (this.#filter === this.#view.filter) return;
    this.#filter = this.#view.filter;
    this.#draft.again();
    for (const row of this.#rows.values()) row.again();
  }

  #show() {
    const { isRunning, answer, error } = this.#running;
    const sentence = !isRunning ? "No proxy is running on this store, so no rules hold." : error?.message ?? "";
    if (this.#notice.textContent !== sentence) fill(this.#notice, sentence && el("p", { class: isRunning ? "problem" : "quiet" }, sentence));
    if (answer) this.#drawAnswer(answer);
    else if (!isRunning && !this.#list.firstChild) fill(this.#list, this.#beginning([]));
  }

  #drawAnswer({ rules, active, hits, files, problems }) {
    const drawn = { problems: JSON.stringify(problems), rules: JSON.stringify([files, rules.map(({ name }) => name)]) };
    if (drawn.problems !== this.#drawn.problems) this.#drawProblems(problems);
    if (drawn.rules !== this.#drawn.rules) this.#drawRules(rules, files);
    this.#drawn = drawn;
    rules.forEach((rule, index) => this.#rows.get(rule.name)?.update(rule, index + 1));
    const sum = rules.length === 0 ? ""
      : `${count(active)} of ${counted(rules.length, "rule is", "rules are")} on; they applied ${counted(hits, "time")}. `
        + "A switch lasts until the proxy stops, or until its file switches the rule otherwise.";
    say(this.#sum, sum);
  }

  #drawProblems(problems) {
    fill(this.#problems, problems.length > 0 && el("section", { class: "rules-problems", role: "alert" },
      el("h3", {}, `${counted(problems.length, "mistake")} in the rules files`),
      el("p", {}, `The rules of before hold until ${noun(problems.length, "it is", "they are")} put right.`),
      portion(problems, (problem) => el("p", {}, el("code", {}, problem)), 50)));
  }

  /** Draws the rules in their order, as many as were drawn before; the row of a name stays, with the focus where it was. */
  #drawRules(rules, files) {
    const focused = this.#list.contains(document.activeElement) ? document.activeElement : null;
    const before = this.#rows;
    const first = Math.max(portionLength, before.size);
    const place = [...before.values()].findIndex(({ element }) => element.contains(focused));
    this.#rows = new Map();
    const turn = (name, on) => this.#running.turn([name], on);
    // The names stay until they are drawn anew; what else is said of a rule that is drawn later is what is said then.
    fill(this.#list, rules.length === 0 ? this.#beginning(files) : portion([...rules.keys()], (index) => {
      const rule = this.#running.answer.rules[index];
      const row = before.get(rule.name) ?? new RuleRow(rule, { view: this.#view, turn });
      this.#rows.set(rule.name, row);
      row.update(rule, index + 1);
      return row.element;
    }, portionLength, first));
    for (const row of before.values()) if (!this.#rows.has(row.name)) row.end();
    // A row that is drawn when more is asked for is a new one.
    before.clear();
    if (!focused) return;
    // Where its rule is gone, the focus goes to the one at that place now.
    const other = [...this.#rows.values()][place]?.element.querySelector(".switch") ?? this.#title;
    (focused.isConnected ? focused : other).focus({ preventScroll: true });
  }

  /** What to do where there are no rules. */
  #beginning(files) {
    const store = this.#instance.store ? ` --store ${shellWord(this.#instance.store)}` : "";
    const command = (text) => el("div", { class: "command" }, el("pre", {}, text), copyButton(text));
    return el("section", { class: "absent" },
      el("h3", {}, "No rules"),
      el("p", {}, "Rules change requests and responses on their way, answer in a server's place, refuse, or make the network slow."),
      files.length > 0
        ? el("p", {}, `${noun(files.length, "This file holds", "These hold")} none yet; a rule that is written there holds within a second or two: `,
          files.map((file, index) => [index > 0 && ", ", el("code", {}, file)]))
        : [el("p", {}, "The proxy begins with a file of rules by this option:"), command(`inspect start${store} --rules rules.yaml`)],
      el("p", {}, "A file that answers two requests with an error, and the rest with success:"), command(example),
      el("p", {}, link(this.#view, { place: "manual", details: { article: "changing-traffic" }, chosen: null }, {}, "All that a rule can say"),
        " stands in the manual."));
  }
}
