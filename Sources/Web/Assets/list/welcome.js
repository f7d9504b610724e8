import { byId, el } from "./dom.js";
import { count } from "./format.js";
import { SetupCheck } from "./setup-check.js";
import { setupView } from "./setup.js";

/** What an empty store shows: how to send the first request here. */
export function welcome(instance) {
  const check = new SetupCheck({ isFirst: true });
  check.follow(byId("rows"));
  return { element: el("div", { class: "welcome" }, setupView(instance, check, "Nothing recorded yet")), tell: () => {} };
}

/** What a filter that matches nothing shows; `tell` takes how many exchanges there are, as often as that changes. */
export function nothing(clear) {
  const sentence = el("p", {});
  return {
    element: el("div", { class: "welcome" }, el("h2", {}, "No exchange matches"), sentence, el("button", { type: "button", class: "button", onclick: clear }, "Clear the filter")),
    tell: (total) => {
      sentence.textContent = total === 1 ? "The one exchange recorded is left out by the filter." : `All ${count(total)} exchanges are left out by the filter.`;
    },
  };
}
