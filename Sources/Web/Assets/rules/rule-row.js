import { selection } from "./choices.js";
import { el, fill, say } from "./dom.js";
import { counted, time } from "./format.js";
import { link } from "./links.js";
import { RuleTrial } from "./rule-trial.js";

/** The parts of a rule that only its file changes. */
export const written = ({ name, group, when, effect, path, line }) => JSON.stringify([name, group, when, effect, path, line]);

/** One rule of the running proxy: its switch, its words, and what it has done so far, which is kept up to date in place. */
export class RuleRow {
  element;
  /** What its file says of it. */
  written;
  #rule;
  #turn;
  #isTurning = false;
  #switch;
  #place = el("span", { class: "rule-place quiet" });
  #state = el("span", { class: "rule-state" });
  #counts = el("span", { class: "rule-counts" });
  #trial;
  #try;
  #problem = el("p", { class: "problem", role: "alert", hidden: true });

  /** `turn` switches a rule by its name and may throw. */
  constructor(rule, { view, turn }) {
    const { name, group, when, effect, path, line } = rule;
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
        link(view, filtered, { "aria-label": `Show its exchanges: ${name}` }, "Show its exchanges"), this.#try, el("code", {}, `${path}:${line}`)),
      this.#problem, this.#trial.element);
  }

  get name() { return this.#rule.name; }

  /** Takes the rule as it is now, and its place among the others, from 1. */
  update(rule, place) {
    this.#rule = rule;
    say(this.#place, `${place}.`);
    const hasEnded = rule.on && rule.ends !== null && Date.parse(rule.ends) <= Date.now();
    const ends = rule.on && rule.ends !== null && ` ${hasEnded ? "since" : "until"} ${time(rule.ends)}`;
    this.#switch.setAttribute("aria-checked", String(rule.on));
    this.element.classList.toggle("off", !rule.on || hasEnded);
    say(this.#state, `${rule.on ? (hasEnded ? "ended" : "on") : "off"}${ends || ""}`);
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
    try {
      await this.#turn(this.#rule.name, !this.#rule.on);
      this.#problem.hidden = true;
    } catch (error) {
      this.#problem.hidden = false;
      fill(this.#problem, error.message);
    }
    this.#isTurning = false;
  }
}
