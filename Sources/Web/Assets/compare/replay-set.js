import * as api from "./api.js";
import { labelled, ticked } from "./controls.js";
import * as dialog from "./dialog.js";
import { el, fill } from "./dom.js";
import { count, counted } from "./format.js";
import { link, exchangeLink } from "./links.js";
import { refused, waysOfSet } from "./refused.js";

// Exchanges that one form sends at most, and failures that it tells.
const setLimit = 10_000;
const toldLimit = 50;
// Exchanges that still fit into the address of a comparison.
const comparedLimit = 150;
const paces = [["", "As fast as possible"], ["rate", "At a rate"], ["as-recorded", "As recorded"]];

/** Opens the form that sends many exchanges again: those given by number, or all that the filter of the page selects. */
export const openReplaySet = (view, ids = null) => new SetForm(view, ids);

class SetForm {
  #view; #ids; #form; #state; #problem;
  #abort = null;

  constructor(view, ids) {
    this.#view = view;
    this.#ids = ids;
    this.#problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.#state = el("div", { class: "replay-result" });
    const number = (name, label, value, attributes) => labelled(label, el("input", { type: "number", name, value, ...attributes }));
    const marked = ids && `${counted(ids.length, "exchange")}, as marked.`;
    this.#form = el("form", { class: "edit-form", novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      if (this.#abort) this.#abort.abort();
      else this.#send();
    } },
    el("p", {}, marked ?? (view.filter ? "All exchanges that the list's filter selects." : "All exchanges of the store.")),
    el("div", { class: "controls" },
      number("times", "Times", 1, { min: 1, max: 1_000_000 }), number("parallel", "At once", 1, { min: 1, max: 64 }),
      labelled("Pace", el("select", { name: "pace" }, paces.map(([value, words]) => el("option", { value }, words)))),
      number("rate", "A second", 10, { min: 0.001, step: "any" }),
      labelled("To another origin", el("input", {
        type: "text", name: "to", placeholder: "http://127.0.0.1:8081", spellcheck: "false", autocomplete: "off",
      }), { class: "control grow" }),
      ticked("Send the captured credentials there too", el("input", { type: "checkbox", name: "credentials" }))),
    this.#problem, el("div", { class: "controls" }, el("button", { class: "button primary" }, "Send")));
    const shown = dialog.show({ title: "Replay a set", body: [this.#form, this.#state], className: "replay" });
    shown.addEventListener("close", () => this.#abort?.abort());
    this.#form.elements.times.focus();
  }

  /** The plan of the form; throws a sentence where the form has a mistake. */
  #plan() {
    const { times, parallel, pace, rate, to, credentials } = this.#form.elements;
    const whole = (input, low, high, name) => {
      const value = Number(input.value);
      if (!Number.isInteger(value) || value < low || value > high) {
        throw new api.Refusal(0, `${name} is a whole number from ${count(low)} to ${count(high)}.`);
      }
      return value;
    };
    const plan = { times: whole(times, 1, 1_000_000, "Times"), parallel: whole(parallel, 1, 64, "At once") };
    if (pace.value === "rate") {
      if (!(Number(rate.value) >= 0.001)) throw new api.Refusal(0, "The rate is a number of requests a second, 0.001 or more.");
      plan.rate = Number(rate.value);
    } else if (pace.value) plan.timing = pace.value;
    const edits = { ...(to.value.trim() && { to: to.value.trim() }), ...(credentials.checked && { sendCredentials: true }) };
    return Object.keys(edits).length ? { ...plan, edits } : plan;
  }

  async #send() {
    const button = this.#form.querySelector(".primary");
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#say(null);
    try {
      const plan = this.#plan();
      button.textContent = "Stop";
      const { ids, leftOut } = await this.#wanted(signal);
      if (!ids.length) {
        throw new api.Refusal(0, leftOut
          ? `None of the ${count(leftOut)} exchanges can be sent again: they are tunnels, WebSockets, still open, or replays.`
          : "Nothing is selected.");
      }
      await this.#run({ ...plan, ids }, leftOut, signal);
    } catch (error) {
      this.#say(error.name === "AbortError" ? "Stopped; requests that are under way still end." : refused(error.message, error.wayOut, waysOfSet));
    }
    button.textContent = "Send";
    this.#abort = null;
  }

  /** The exchanges to send: those of a filter that can be sent. */
  async #wanted(signal) {
    if (this.#ids) return { ids: this.#ids, leftOut: 0 };
    const rows = [];
    // Replays are left out of a filter's exchanges, unless the filter asks for them.
    const filter = new URLSearchParams(this.#view.filter);
    const text = filter.get("q");
    if (!text?.includes("is:replay")) filter.set("q", text ? `(${text}) -is:replay` : "-is:replay");
    let after = "";
    do {
      const page = await api.get(`exchanges?${filter}&limit=1000&facets=false${after}`, { signal });
      rows.push(...page.exchanges);
      after = page.next === null ? "" : `&after=${page.next}`;
      if (rows.length > setLimit) throw new api.Refusal(0, `The filter selects more than ${count(setLimit)} exchanges; narrow it.`);
    } while (after);
    const ids = rows.filter(isRepeatable).map(({ id }) => id).sort((one, other) => one - other);
    return { ids, leftOut: rows.length - ids.length };
  }

  async #run(plan, leftOut, signal) {
    const total = plan.ids.length * plan.times;
    const bar = el("progress", { max: total, value: 0, "aria-label": "Replays" });
    const words = el("p", { role: "status" });
    const failures = el("ul", { class: "found" });
    fill(this.#state, bar, words, failures);
    const replays = [];
    let [sent, failed] = [0, 0];
    const draw = () => {
      bar.value = sent + failed;
      const others = `${failed ? `, ${count(failed)} failed` : ""}${leftOut ? `, ${count(leftOut)} left out` : ""}`;
      words.textContent = `${count(sent)} of ${count(total)} sent${others}.`;
    };
    let frame = 0;
    const tell = ({ replay, summary }) => {
      if (replay?.id) {
        sent += 1;
        if (replays.length <= comparedLimit) replays.push(replay.id);
      } else if (replay) {
        failed += 1;
        const why = replay.error ? refused(replay.error, replay.wayOut, waysOfSet) : replay.leftOut;
        if (failed <= toldLimit) failures.append(el("li", {}, exchangeLink(this.#view, replay.original), `: ${why}`));
      }
      if (summary) {
        cancelAnimationFrame(frame);
        draw();
        const pace = Math.round(summary.sent / Math.max(summary.seconds, 0.001));
        words.append(` ${summary.seconds.toFixed(summary.seconds < 10 ? 2 : 0)} s, ${count(pace)} a second.`);
      } else if (!frame) frame = requestAnimationFrame(() => {
        frame = 0;
        draw();
      });
    };
    draw();
    await api.postLines("replay", plan, { signal, tell });
    if (plan.times === 1 && replays.length > 0 && plan.ids.length <= comparedLimit) {
      const change = { place: "compare", details: { left: `id:${plan.ids.join(",")}`, right: `id:${replays.join(",")}` }, chosen: null };
      const open = link(this.#view, change, { class: "button" }, "Compare the answers");
      open.addEventListener("click", () => this.#form.closest("dialog").close());
      this.#state.append(open);
    }
  }

  #say(sentence) {
    this.#problem.hidden = !sentence;
    this.#problem.textContent = sentence ?? "";
  }
}

/** Whether an exchange can be sent again as it is. */
const isRepeatable = ({ outcome, scheme, protocol }) =>
  ["completed", "failed", "cancelled"].includes(outcome) && ["http", "https"].includes(scheme) && protocol !== "WebSocket";
