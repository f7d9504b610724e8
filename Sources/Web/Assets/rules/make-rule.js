import * as api from "./api.js";
import * as dialog from "./dialog.js";
import { copyButton, el, fill, say } from "./dom.js";

const forms = [["stub", "Answer as the server did"], ["edit", "Change the response"]];

/**
 * Shows the rule that an exchange makes, as YAML to copy into a file; nothing is written, and nothing is switched on. `back` returns what gets the
 * focus in the end, where the button that had it is gone.
 *
 * Returns a function that makes the rule anew, for an exchange that changes while the dialog is open; one that is being made is waited for.
 */
export function openMakeRule(exchange, { back }) {
  const text = el("pre", { class: "made-rule", tabindex: "0", role: "region", "aria-label": "The rule, as YAML" });
  const problem = el("p", { class: "wrong", role: "alert" });
  const copy = copyButton(() => text.textContent);
  copy.disabled = true;
  let form = forms[0][0];
  let making = new AbortController();
  // Whether one is being made, and whether the exchange has changed since.
  let [isMaking, isBehind] = [false, false];
  const make = async () => {
    making.abort();
    const { signal } = making = new AbortController();
    [isMaking, isBehind] = [true, false];
    try {
      const { yaml } = await api.get(`exchanges/${exchange.id}/rule?as=${form}`, { signal });
      if (signal.aborted) return;
      say(problem, "");
      say(text, yaml);
      copy.disabled = false;
    } catch (error) {
      if (signal.aborted) return;
      fill(text);
      say(problem, error.message);
      copy.disabled = true;
    }
    text.hidden = copy.disabled;
    isMaking = false;
    if (isBehind) make();
  };
  const choices = forms.map(([value, words], index) => el("label", {},
    el("input", { type: "radio", name: "form", value, checked: index === 0, onchange: () => choose(value) }), " ", words));
  const choose = (value) => {
    form = value;
    copy.disabled = true;
    make();
  };
  const shown = dialog.show({
    title: `Make a rule of exchange ${exchange.id}`, className: "wide", back,
    body: [
      el("fieldset", { class: "rule-forms" }, el("legend", {}, "What it does"), choices), problem, text,
      el("p", { class: "quiet" }, "It applies to the host, the path and the method of the exchange, and holds what the exchange held, secrets too. ",
        "Put it into a rules file: nothing is written or switched on here."),
    ],
    actions: [copy],
  });
  shown.querySelector("input").focus();
  // The work for a rule that nobody waits for is ended.
  shown.addEventListener("close", () => making.abort());
  make();
  return () => {
    isBehind = isMaking;
    if (shown.open && !isMaking) make();
  };
}
