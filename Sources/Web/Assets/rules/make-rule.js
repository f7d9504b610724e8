import * as api from "./api.js";
import * as dialog from "./dialog.js";
import { copyButton, el, fill, say } from "./dom.js";

const forms = [["stub", "Answer as the server did"], ["edit", "Change the response"]];

/** Shows the rule that an exchange makes, as YAML to copy into a file; nothing is written, and nothing is switched on. */
export function openMakeRule(exchange) {
  const text = el("pre", { class: "made-rule", tabindex: "0", role: "region", "aria-label": "The rule, as YAML" });
  const problem = el("p", { class: "wrong", role: "alert" });
  const copy = copyButton(() => text.textContent);
  let asked = 0;
  const make = async (form) => {
    const own = asked += 1;
    copy.disabled = true;
    try {
      const { yaml } = await api.get(`exchanges/${exchange.id}/rule?as=${form}`);
      if (own !== asked) return;
      say(problem, "");
      fill(text, yaml);
      copy.disabled = false;
    } catch (error) {
      if (own !== asked) return;
      fill(text);
      say(problem, error.message);
    }
    text.hidden = copy.disabled;
  };
  const choices = forms.map(([value, words], index) => el("label", {},
    el("input", { type: "radio", name: "form", value, checked: index === 0, onchange: () => make(value) }), " ", words));
  dialog.show({
    title: `Make a rule of exchange ${exchange.id}`, className: "wide",
    body: [
      el("fieldset", { class: "rule-forms" }, el("legend", {}, "What it does"), choices), problem, text,
      el("p", { class: "quiet" }, "It applies to the host, the path and the method of the exchange, and holds what the exchange held, secrets too. ",
        "Put it into a rules file: nothing is written or switched on here."),
    ],
    actions: [copy],
  }).querySelector("input").focus();
  make(forms[0][0]);
}
