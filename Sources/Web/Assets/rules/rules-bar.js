import { el, fill, say } from "./dom.js";
import { counted } from "./format.js";
import { link } from "./links.js";

/**
 * The bar below every place and list while rules are on: how many, how much they changed, and a button that turns all off; then a way back.
 *
 * It stands at the foot of the page, so that nothing on it moves when the bar comes, and its button stands at the end, where no number moves it.
 */
export class RulesBar {
  #element;
  #running;
  #shown = "";
  #on; #changed; #mistakes;
  #problem = el("span", { role: "alert" });
  #parts;

  constructor(element, { view, running }) {
    this.#element = element;
    this.#running = running;
    const place = { place: "rules", details: {}, chosen: null };
    const modified = { place: "exchanges", details: {}, chosen: null, selections: {}, text: "is:modified", since: "", before: "" };
    this.#on = link(view, place, {});
    this.#changed = link(view, modified, {});
    this.#mistakes = link(view, place, {});
    const button = (text, does) => el("button", { type: "button", class: "button small", onclick: () => this.#does(does) }, text);
    this.#parts = {
      on: [
        el("span", { role: "status" }, this.#on), this.#changed, this.#mistakes, this.#problem,
        el("span", { class: "end" }, button("Turn off", () => running.turnOff())),
      ],
      off: [
        el("span", { role: "status" }, "All rules are off, until they are switched on again."),
        button("Turn on again", () => running.turnOn()), button("Hide", () => running.forget()), this.#problem,
      ],
      wrong: [this.#mistakes],
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
    const { sum, changed, turnedOff } = this.#running;
    const mistakes = sum?.problems.length ?? 0;
    const shown = sum?.active ? "on" : turnedOff?.length ? "off" : mistakes ? "wrong" : "none";
    if (sum?.active) say(this.#on, `${counted(sum.active, "rule")} on`);
    if (changed) say(this.#changed, `${counted(changed, "exchange")} changed`);
    if (mistakes) say(this.#mistakes, `${counted(mistakes, "mistake")} in the rules files`);
    this.#changed.hidden = !changed;
    this.#mistakes.hidden = !mistakes;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const hadFocus = this.#element.contains(document.activeElement);
    say(this.#problem, "");
    fill(this.#element, this.#parts[shown]);
    this.#element.hidden = shown === "none";
    if (hadFocus) this.#element.querySelector("button, a")?.focus({ preventScroll: true });
  }

  async #does(action) {
    if (this.#element.ariaBusy === "true") return;
    this.#element.ariaBusy = "true";
    try {
      await action();
      say(this.#problem, "");
    } catch (error) {
      say(this.#problem, error.message);
    }
    this.#element.ariaBusy = "false";
  }
}
