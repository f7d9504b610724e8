import { byId, el } from "./dom.js";
import { count } from "./format.js";
import { SetupCheck } from "./setup-check.js";
import { setupView } from "./setup.js";

/** The text in place of rows where a list is empty: a welcome in an empty store, else the reason why nothing is listed. */
export class EmptyList {
  #instance;
  #clear;
  /** The text that is shown; null where there are rows. */
  #shown = null;

  /** `clear` removes the filter. */
  constructor({ instance, clear }) { [this.#instance, this.#clear] = [instance, clear]; }

  /** Shows it, or takes it away; what is right already stays, so that a click on it is not lost to the traffic. */
  draw({ hasRows, total }) {
    const make = hasRows ? null : total === 0 ? welcome : nothing;
    if (make !== this.#shown?.make) {
      this.#shown?.element.remove();
      this.#shown = make && { make, ...(make === welcome ? welcome(this.#instance) : nothing(this.#clear)) };
      if (make) byId("rows").append(this.#shown.element);
    }
    this.#shown?.tell(total);
  }
}

/** What an empty store shows: how to send the first request here. */
function welcome(instance) {
  const check = new SetupCheck({ isFirst: true });
  check.follow(byId("rows"));
  return { element: el("div", { class: "welcome" }, setupView(instance, check, "Nothing recorded yet")), tell: () => {} };
}

/** What a filter that matches nothing shows; `tell` takes how many exchanges there are, as often as that changes. */
function nothing(clear) {
  const sentence = el("p", {});
  const button = el("button", { type: "button", class: "button", onclick: clear }, "Clear the filter");
  return {
    element: el("div", { class: "welcome" }, el("h2", {}, "No exchange matches"), sentence, button),
    tell: (total) => {
      sentence.textContent =
        total === 1 ? "The one exchange recorded is left out by the filter." : `All ${count(total)} exchanges are left out by the filter.`;
    },
  };
}
