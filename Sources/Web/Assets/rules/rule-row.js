import { Unreachable } from "./api.js";
import { selection } from "./choices.js";
import { el, say } from "./dom.js";
import { counted, time } from "./format.js";
import { link } from "./links.js";
import { RuleTrial } from "./rule-trial.js";

/** The parts of a rule that only its file changes, wherever in its file it stands. */
export const written = ({ name, group, when, effect }) => JSON.stringify([name, group, when, effect]);

/** One rule of the running proxy: its switch, its words, and what it has done so far, which is kept up to date in place. */
export class RuleRow {
  element;
  /** What its file says of it. */
  written;
  #rule;
  #turn;
  #isTurning = false;
  /** The error of the last press, and what was wanted; null where there is none. */
  #failure = null;
  #switch;
  #place = el("span", { class: "rule-place quiet" });
  #state = el("span", { class: "rule-state" });
  #counts = el("span", { class: "rule-counts" });
  #source = el("code", {});
  #trial;
  #try;
  #problem = el("p", { class: "problem", role: "alert", hidden: true });

  /** `turn` switches a rule by its name and may throw. */
  constructor(rule, { view, turn }) {
    const { name, group, when, effect } = rule;
    this.#rule = rule;
    this.written = written(rule);
    this.#turn = turn;
    this.#switch = el("button", { type: "button", class: "switch", role: "switch", "aria-label": name, onclick: () => this.#press() });
    this.#trial = new RuleTrial({ view });
    this.#try = el("button", {
      type: "button", class: "more", "aria-expanded": "false", "aria-label": `Would have matched: ${name}`, onclick: () => this.#toggle(),
    }, "Would have matched");
    const filtered = { place: "exchanges", details: {}, chosen: null, selections: { rule: [selection(name)] }, text: "", since: "", before: "" };
    this.element = el("section", { class: "rule-item", "data-rule": name, "aria-label": name },
      el("div", { class: "rule-head" }, this.#switch, this.#place, el("h3", {}, name), this.#state,
        group && el("span", { class: "rule-group" }, group)),
      el("p", { class: "rule-effect" }, effect || "does nothing"),
      el("p", {}, when ? [el("span", { class: "quiet" }, "when "), el("code", {}, when)] : "on every exchange"),
      el("p", { class: "rule-facts quiet" }, this.#counts,
        link(view, filtered, { "aria-label": `Show its exchanges: ${name}` }, "Show its exchanges"), this.#try, this.#source),
      this.#problem, this.#trial.element);
  }

  get name() { return this.#rule.name; }

  /** Takes the rule as it is now, and its place among the others, from 1. */
  update(rule, place) {
    const before = this.#rule;
    this.#rule = rule;
    say(this.#place, `${place}.`);
    say(this.#source, `${rule.path}:${rule.line}`);
    this.#switch.setAttribute("aria-checked", String(rule.on));
    this.element.classList.toggle("off", !rule.on || rule.ended !== null);
    say(this.#state, state(rule));
    // A later answer says that inspect is there, and whether the rule is as it was wanted.
    if (rule !== before && this.#failure && (this.#failure.error instanceof Unreachable || rule.on === this.#failure.wanted)) this.#say(null);
    // What its file says of it may be otherwise in what the effect does not say.
    if (rule.since !== before.since) this.again();
    say(this.#counts, [
      rule.hits > 0 ? `applied ${counted(rule.hits, "time")}` : "has not applied yet",
      rule.lastHit && `last at ${time(rule.lastHit)}`,
      rule.unjudged > 0 && `skipped ${counted(rule.unjudged, "time")}: could not be judged`,
      rule.failed > 0 && `skipped ${counted(rule.failed, "time")}: could not be done`,
      rule.shadowed > 0 && `shadowed ${counted(rule.shadowed, "time")} by a rule that answers`,
    ].filter(Boolean).join(" · "));
  }

  /** Tries the rule again, where it was tried before. */
  again() {
    if (this.#try.ariaExpanded === "true") this.#trial.run({ names: [this.#rule.name] });
  }

  /** Stops the work that is under way. */
  end() { this.#trial.stop(); }

  #toggle() {
    this.#try.ariaExpanded = String(this.#try.ariaExpanded !== "true");
    this.#trial.stop();
    this.again();
  }

  async #press() {
    if (this.#isTurning) return;
    this.#isTurning = true;
    const wanted = !this.#rule.on;
    try {
      await this.#turn(this.#rule.name, wanted);
      this.#say(null);
    } catch (error) {
      this.#say({ error, wanted });
    }
    this.#isTurning = false;
  }

  #say(failure) {
    this.#failure = failure;
    this.#problem.hidden = failure === null;
    say(this.#problem, failure?.error.message ?? "");
  }
}

/** Whether the rule is on, in words. */
function state({ on, ended, ends }) {
  if (!on) return "off";
  if (ended === "times") return "used up: it has applied as often as it may";
  if (ended === "expires") return `ended since ${time(ends)}; it begins anew when its file changes it`;
  return ends === null ? "on" : `on until ${time(ends)}`;
}
