import { el, fill } from "./dom.js";

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

/** A row of buttons of which one is pressed; calls `change` with the value of the one that is pressed from now on. */
export function segments(label, options, chosen, change) {
  const buttons = options.map(([value, words]) => el("button", {
    type: "button", class: "button small", "aria-pressed": String(value === chosen), "data-value": value,
    onclick: ({ currentTarget }) => {
      for (const button of buttons) button.ariaPressed = String(button === currentTarget);
      change(value);
    },
  }, words));
  return el("div", { class: "segments", role: "group", "aria-label": label }, buttons);
}

/** Draws segments anew inside an element; the button of the same value keeps the focus. */
export function refill(element, group) {
  const { value } = element.contains(document.activeElement) ? document.activeElement.dataset : {};
  fill(element, group);
  if (value) element.querySelector(`[data-value="${CSS.escape(value)}"]`)?.focus({ preventScroll: true });
}

/** A text box that calls `change` when the typing rests, unless the box is gone by then. */
export function searchBox(label, value, change) {
  let timer = 0;
  const input = el("input", {
    type: "search", value, "aria-label": label, placeholder: label, autocomplete: "off", spellcheck: "false",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => input.isConnected && change(input.value.trim()), 200);
    },
  });
  return input;
}
