import * as api from "./api.js";
import { labelled, ticked } from "./controls.js";
import { drawDifference } from "./difference.js";
import { el, fill } from "./dom.js";
import { count, counted, duration } from "./format.js";
import { exchangeLink, link } from "./links.js";

// Comparisons of sets in one answer at most.
const toldLimit = 1000;
const words = { same: "the same", changed: "changed", added: "only right", removed: "only left", failed: "not compared" };

/** Two exchanges, or two sets of them, side by side. */
export class Compare {
  title = "Compare";
  /** The bar names this place only while it is open; rows and replays lead to it. */
  isQuiet = true;
  #view;
  #canReplay;
  #element = null;
  #form; #result; #walk;
  #abort = new AbortController();
  #at = -1;
  #key = (event) => {
    const isWritten = event.target.matches("input, textarea, select");
    if (isWritten || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const step = { n: 1, N: -1 }[event.key];
    if (step) this.#go(step);
  };

  constructor({ view, canReplay }) {
    this.#view = view;
    this.#canReplay = canReplay;
  }

  open() {
    document.title = "Compare · inspect";
    this.#form = el("form", { class: "controls compare-form", onsubmit: (event) => {
      event.preventDefault();
      this.#submit();
    } });
    this.#walk = el("div", { class: "walk", role: "group", "aria-label": "Differences", hidden: true });
    this.#result = el("div", { class: "compare-result" });
    this.#element = el("article", { class: "page compare" },
      el("header", { class: "place-head" }, el("h2", { tabindex: "-1" }, this.title)), this.#form, this.#walk, this.#result);
    document.addEventListener("keydown", this.#key);
    this.update();
    return this.#element;
  }

  close() {
    this.#abort.abort();
    document.removeEventListener("keydown", this.#key);
  }

  update() {
    this.#drawForm();
    this.#load();
  }

  #drawForm() {
    const { left = "", right = "", ignore = "", all = "" } = this.#view.details;
    const box = (name, label, value, hint) => labelled(label, el("input", {
      type: "text", name, value, placeholder: hint, autocomplete: "off", spellcheck: "false",
    }));
    const swap = () => this.#keep({ left: this.#value("right"), right: this.#value("left"), learn: "" });
    fill(this.#form,
      box("left", "Left", left, "12, or a query: session:monday"), box("right", "Right", right, "40, or a query: session:tuesday"),
      box("ignore", "Passed over", ignore, "header:etag, json:$..modified, query:ts"),
      ticked("Count Date, Age and the like", el("input", { type: "checkbox", name: "all", checked: all === "yes" })),
      el("button", { class: "button" }, "Compare"),
      el("button", { type: "button", class: "button", onclick: swap }, "Swap sides"),
      this.#canReplay && /^\d+$/.test(left) && el("button", {
        type: "button", class: "button", title: "Sends the left request twice and ignores what differs between the two answers",
        onclick: (event) => this.#learn(event.target),
      }, "Learn the noise"));
  }

  #value(name) { return this.#form.elements[name].value.trim(); }

  #submit() {
    this.#keep({
      left: this.#value("left"), right: this.#value("right"), ignore: this.#value("ignore"),
      all: this.#form.elements.all.checked ? "yes" : "", learn: "",
    });
  }

  #keep(details) {
    const next = { ...this.#view.details, ...details };
    for (const [name, value] of Object.entries(next)) if (!value) delete next[name];
    this.#view.change({ details: next });
  }

  /** Sends the left request twice, and treats the differences between the answers as noise. */
  async #learn(button) {
    button.disabled = true;
    button.textContent = "Sending twice…";
    const { left } = this.#view.details;
    // Noise of one exchange says nothing of another that is shown by then.
    const isMeant = () => this.#element.isConnected && this.#view.details.left === left;
    try {
      const id = Number(left);
      const one = await api.post(`exchanges/${id}/replay`);
      const other = await api.post(`exchanges/${id}/replay`);
      if (isMeant()) this.#keep({ learn: `${one.id},${other.id}` });
    } catch (error) {
      if (!isMeant()) return;
      this.#drawForm();
      fill(this.#result, el("p", { class: "problem" }, error.message));
    }
  }

  async #load() {
    this.#abort.abort();
    const { signal } = this.#abort = new AbortController();
    const { left, right, ignore, all, learn } = this.#view.details;
    this.#walk.hidden = true;
    if (!left || !right) {
      fill(this.#result, el("p", { class: "quiet" },
        "Name two exchanges by their numbers, or two sets by queries. Marked rows of the list can be compared too."));
      return;
    }
    fill(this.#result, el("p", { class: "quiet", role: "status" }, "Comparing…"));
    const parameters = new URLSearchParams({
      left, right, limit: toldLimit, ...(ignore && { ignore }), ...(all && { "no-default-ignore": "true" }), ...(learn && { learn }),
    });
    try {
      const answer = await api.get(`diff?${parameters}`, { signal });
      const isPair = /^\d+$/.test(left) && /^\d+$/.test(right);
      if (isPair) await this.#drawPair(answer.comparisons[0], signal);
      else this.#drawSets(answer);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#result, el("p", { class: "problem" }, error.message));
    }
  }

  async #drawPair(comparison, signal) {
    const [left, right] = await Promise.all([comparison.left, comparison.right].map((id) => api.get(`exchanges/${id}`, { signal })));
    fill(this.#result,
      el("div", { class: "sides" },
        this.#side("Left", left, comparison.durationMs.left), this.#side("Right", right, comparison.durationMs.right)),
      comparison.verdict === "same" && el("p", { class: "same" }, "The two sides have no relevant difference."),
      drawDifference(comparison, left, right));
    this.#startWalk();
  }

  #side(name, exchange, time) {
    return el("section", {}, el("h3", {}, name, " ", exchangeLink(this.#view, exchange.id)),
      el("p", { class: "address" }, `${exchange.method} ${exchange.host}${exchange.target}`),
      el("p", { class: "quiet" }, `${exchange.code ?? exchange.outcome} · ${duration(time)} · ${exchange.started}`));
  }

  #drawSets(answer) {
    const { comparisons } = answer;
    const compared = Object.keys(words).reduce((sum, name) => sum + answer[name], 0);
    const left = compared - answer.same - comparisons.length;
    if (compared === 0) {
      fill(this.#result, el("p", { class: "problem" }, "Nothing was compared: neither side has an exchange."));
      return;
    }
    const sums = Object.keys(words).filter((name) => answer[name] > 0);
    const ignored = Object.entries(answer.ignored).map(([name, number]) => `${name} (${number})`);
    fill(this.#result,
      el("p", { class: "sum" }, `${count(compared)} compared: `,
        sums.map((name, index) => [index > 0 && ", ", el("b", {}, count(answer[name])), ` ${words[name]}`]), "."),
      answer.equal && el("p", { class: "same" }, "The two sides have no relevant difference."),
      el("table", { class: "fields sets" },
        el("thead", {}, el("tr", {}, ["Verdict", "Left", "Right", "Request", "What differs"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, comparisons.map((one) => this.#row(one)))),
      left > 0 && el("p", { class: "quiet" }, `${counted(left, "more differs", "more differ")}.`),
      ignored.length > 0 && el("p", { class: "quiet" }, `Passed over: ${ignored.join(", ")}.`));
    this.#startWalk();
  }

  #row(one) {
    const { ignore, all } = this.#view.details;
    const number = (id) => id === null ? "" : exchangeLink(this.#view, id, { text: String(id) });
    const details = { left: String(one.left), right: String(one.right), ...(ignore && { ignore }), ...(all && { all }) };
    const told = ({ side, part, place, left, right }) => `${side} ${part} ${place}: ${left ?? "nothing"} → ${right ?? "nothing"}`;
    const what = one.changes.length > 0 ? one.changes : one.differences.map(told);
    return el("tr", { class: `diff ${one.verdict}`, tabindex: "-1" },
      el("td", {}, el("span", { class: `verdict-word ${one.verdict}` }, words[one.verdict])),
      el("td", {}, number(one.left)), el("td", {}, number(one.right)),
      el("td", { class: "address" }, `${one.method} ${one.url}`),
      el("td", {}, what.slice(0, 3).map((text) => el("div", {}, text)),
        what.length > 3 && el("div", { class: "quiet" }, `and ${what.length - 3} more`),
        one.left !== null && one.right !== null && link(this.#view, { details }, { class: "button small" }, "Side by side")));
  }

  #startWalk() {
    const number = this.#result.querySelectorAll(".diff").length;
    this.#at = -1;
    this.#walk.hidden = number === 0;
    const button = (text, step) => el("button", { type: "button", class: "button small", onclick: () => this.#go(step) }, text);
    fill(this.#walk, button("‹ Previous (N)", -1), button("Next (n) ›", 1),
      el("span", { class: "quiet", role: "status" }, counted(number, "difference")));
  }

  #go(step) {
    const all = [...this.#result.querySelectorAll(".diff")];
    if (!all.length) return;
    this.#at = (Math.max(this.#at, step < 0 ? 0 : -1) + step + all.length) % all.length;
    this.#result.querySelector(".diff.at")?.classList.remove("at");
    const to = all[this.#at];
    for (let parent = to.parentElement; parent; parent = parent.parentElement) if (parent.matches("details")) parent.open = true;
    to.classList.add("at");
    to.focus({ preventScroll: true });
    to.scrollIntoView({ block: "center" });
    this.#walk.querySelector("[role=status]").textContent = `${this.#at + 1} of ${all.length}`;
  }
}

/** The change of the page's state that compares two exchanges. */
export const comparing = (left, right) => ({ place: "compare", details: { left: String(left), right: String(right) }, chosen: null });
