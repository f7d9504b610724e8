import * as api from "./api.js";
import { ask } from "./dialog.js";
import { el } from "./dom.js";
import { counted } from "./format.js";

/** Asks which exchanges to delete, and deletes them. */
export async function openClear({ view, counts, notice }) {
  const { filter } = view;
  const { matched, total } = counts;
  const choice = (value, text, isChosen) => {
    const box = el("input", { type: "radio", name: "clear", id: `clear-${value}`, value, checked: isChosen });
    return el("p", { class: "field" }, box, el("label", { for: `clear-${value}` }, text));
  };
  const whole = choice("all", `All: ${counted(total, "exchange")}`, !filter);
  const part = filter && choice("filter", `Those that the filter shows: ${counted(matched, "exchange")}`, true);
  await ask({
    title: "Delete recorded exchanges",
    body: [
      el("fieldset", {}, el("legend", {}, "Which"), part, whole),
      el("p", {}, "Deleted exchanges are gone from the store for good; there is no undo. The numbers are those of now: selected exchanges that are "
        + "recorded until you press Delete are deleted too. Exchanges that are still open stay."),
    ],
    act: "Delete",
    isDanger: true,
    does: async () => {
      const isAll = !filter || document.getElementById("clear-all").checked;
      const { deleted, open } = await api.post(isAll ? "clear?all=true" : `clear?${filter}`);
      notice.say(`Deleted ${counted(deleted, "exchange")}.${open ? ` ${counted(open, "still open stays", "still open stay")}.` : ""}`);
    },
  });
}
