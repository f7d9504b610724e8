import { el } from "./dom.js";
import { count } from "./format.js";

/**
 * Adds an element that `make` makes for each item: the first ones at once and the rest by a button, so that many items cost no more than few. The
 * button stands after `around`.
 */
export function paged(place, items, make, { first = 300, step = 2_000, around = place } = {}) {
  let shown = 0;
  const more = el("button", { type: "button", class: "button small more-items", onclick: () => next(step) });
  const next = (number) => {
    more.remove();
    place.append(...items.slice(shown, shown + number).map(make));
    shown = Math.min(items.length, shown + number);
    if (shown === items.length) return;
    more.textContent = `Show ${count(Math.min(step, items.length - shown))} more of ${count(items.length - shown)}`;
    around.after(more);
  };
  // The button stands beside the element, which may not be placed yet.
  queueMicrotask(() => shown < items.length && around.after(more));
  next(first);
  return place;
}
