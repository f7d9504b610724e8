import { show } from "./dialog.js";
import { el } from "./dom.js";
import { table } from "./keys.js";

/** Shows the sheet of keys, from the same table that handles them. */
export function open() {
  const groups = Map.groupBy(table, ({ group }) => group);
  show({
    title: "Keys", className: "help",
    body: el("div", { class: "sheet" }, [...groups].map(([group, rows]) => el("section", {}, el("h3", {}, group),
      el("dl", {}, rows.map(({ keys, shown, about }) => [
        el("dt", {}, (shown ? [shown] : keys).map((key, index) => [index > 0 && " ", el("kbd", {}, names[key] ?? key)])),
        el("dd", {}, about),
      ]))))),
  });
}

const names = {
  ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space", PageUp: "Page Up", PageDown: "Page Down",
};
