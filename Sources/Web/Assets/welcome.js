import { byId, el } from "./dom.js";
import { count } from "./format.js";
import { SetupCheck } from "./setup-check.js";
import { setupView } from "./setup.js";

/** What an empty store shows: how to send the first request here. */
export function welcome(instance) {
  const check = new SetupCheck({ isFirst: true });
  check.follow(byId("rows"));
  return el("div", { class: "welcome" }, setupView(instance, check, "Nothing recorded yet"));
}

/** What a filter that matches nothing shows. */
export function nothing(total, clear) {
  return el("div", { class: "welcome" },
    el("h2", {}, "No exchange matches"),
    el("p", {}, total === 1 ? "The one exchange recorded is left out by the filter." : `All ${count(total)} exchanges are left out by the filter.`),
    el("button", { type: "button", class: "button", onclick: clear }, "Clear the filter"));
}
