import { Unreachable } from "./api.js";
import { byId, el, fill, say } from "./dom.js";
import { count, counted } from "./format.js";
import { link } from "./links.js";

/**
 * The bar below every place and list while rules are on: how many, how much they changed, and a button that turns all off; then a way back.
 *
 * It stands at the foot of the page, so that nothing on it moves when the bar comes, and its button stands at the end, where no number moves it.
 */
export class RulesBar {
  #element;
  #view;
  #running;
  #shown = "";
  #on; #changed; #mistakes; #told; #turnOn; #hide;
  #problem = el("span", { role: "alert" });
  /** The error of the last button, and what was known then; null where there is none. */
  #failure = null;
  #parts;

  constructor(element, { view, running }) {
    this.#element = element;
    this.#view = view;
    this.#running = running;
    const place = { place: "rules", details: {}, chosen: null };
    const modified = { place: "exchanges", details: {}, chosen: null, selections: {}, text: "is:modified", since: "", before: "" };
    this.#on = link(view, place, {});
    this.#changed = link(view, modified, {});
    this.#mistakes = link(view, place, {});
    // Mistakes that come are read out.
    this.#told = el("span", { role: "status" }, this.#mistakes);
    const button = (text, does) => el("button", { type: "button", class: "button small", onclick: () => this.#does(does) }, text);
    // One for each part that has it.
    this.#turnOn = [1, 2].map(() => button("", () => running.turnOn()));
    this.#hide = [1, 2].map(() => button("Hide", () => running.forget()));
    this.#parts = {
      on: [
        el("span", { role: "status" }, this.#on), this.#changed, this.#told, this.#problem,
        el("span", { class: "end" }, this.#turnOn[0], " ", this.#hide[0], " ", button("Turn off", () => running.turnOff())),
      ],
      off: [
        el("span", { role: "status" }, "All rules are off, until they are switched on again."), this.#told,
        this.#turnOn[1], this.#hide[1], this.#problem,
      ],
      wrong: [this.#told],
      none: [],
    };
    running.addEventListener("changed", () => this.#draw());
    // A link that is opened elsewhere keeps the filter of now.
    view.addEventListener("filter", () => {
      this.#on.href = view.href(place);
      this.#mistakes.href = view.href(place);
    });
    this.#draw();
  }

  #draw() {
    const { sum, changed, waiting, endedCount, error } = this.#running;
    const focused = this.#element.contains(document.activeElement) ? document.activeElement : null;
    const mistakes = sum?.problems.length ?? 0;
    // Those that have ended would do nothing.
    const back = waiting.length - endedCount;
    const shown = sum?.active ? "on" : back ? "off" : mistakes ? "wrong" : "none";
    if (sum?.active) say(this.#on, `${counted(sum.active, "rule")} on`);
    if (changed) say(this.#changed, `${counted(changed, "exchange")} changed`);
    if (mistakes) say(this.#mistakes, `${counted(mistakes, "mistake")} in the rules files`);
    for (const button of this.#turnOn) say(button, `Turn on again (${count(back)})`);
    for (const button of [...this.#turnOn, ...this.#hide]) button.hidden = back === 0;
    this.#changed.hidden = !changed;
    this.#mistakes.hidden = !mistakes;
    // Where the server answers again, it is not gone.
    if (this.#failure?.error instanceof Unreachable && !error && sum !== this.#failure.sum) this.#say(null);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#say(null);
      fill(this.#element, this.#parts[shown]);
      this.#element.hidden = shown === "none";
    }
    if (focused && (!focused.isConnected || focused.hidden || focused !== document.activeElement)) this.#focus();
  }

  /** Puts the focus on what there is in the bar, or where the bar is gone, on what the page shows. */
  #focus() {
    const next = this.#element.querySelector("button:not([hidden]), a:not([hidden])")
      ?? (this.#view.place === "exchanges"
        ? document.querySelector("#rows [role=grid]:not([hidden])") ?? byId("rows")
        : byId("place").querySelector("h2"));
    next?.focus({ preventScroll: true });
  }

  #say(error) {
    this.#failure = error && { error, sum: this.#running.sum };
    say(this.#problem, error?.message ?? "");
  }

  async #does(action) {
    if (this.#element.ariaBusy === "true") return;
    this.#element.ariaBusy = "true";
    try {
      await action();
      this.#say(null);
    } catch (error) {
      this.#say(error);
    }
    this.#element.ariaBusy = "false";
  }
}
