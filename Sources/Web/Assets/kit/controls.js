import { el } from "./dom.js";

/** A control, or several, under a label. */
export function labelled(text, control, attributes = {}) {
  return el("label", { class: "control", ...attributes }, el("span", {}, text), control);
}

/** A box to tick, with its words behind it. */
export const ticked = (text, box) => el("label", { class: "control tick" }, box, el("span", {}, text));

/** A select of [value, words]; calls `change` with the chosen value. */
export function choice(options, chosen, change, attributes = {}) {
  const select = el("select", { ...attributes, onchange: () => change(select.value) },
    options.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));
  return select;
}

/** A row of buttons of which one is pressed. */
export function segments(label, options, chosen, change) {
  return el("div", { class: "segments", role: "group", "aria-label": label }, options.map(([value, words]) => el("button", {
    type: "button", class: "button small", "aria-pressed": String(value === chosen), onclick: () => change(value), "data-value": value,
  }, words)));
}

/** A text box that calls `change` when the typing rests. */
export function searchBox(label, value, change) {
  let timer = 0;
  const input = el("input", {
    type: "search", value, "aria-label": label, placeholder: label, autocomplete: "off", spellcheck: "false",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => change(input.value.trim()), 200);
    },
  });
  return input;
}
