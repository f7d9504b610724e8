import { el } from "./dom.js";

/** A link to another state of the page: a click changes the state here, and any other way of opening the link uses its address. */
export function link(view, change, attributes, ...children) {
  return el("a", {
    href: view.href(change), ...attributes,
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      view.change(change);
    },
  }, ...children);
}

/** The change of the page's state that shows an exchange: at a part of it, empty for the part that it opens on, and at a place in its body. */
export const toExchange = (id, { tab = "", pointer = "" } = {}) => ({ place: "exchanges", details: {}, chosen: id, tab, pointer });

/** A link to an exchange. */
export const exchangeLink = (view, id, { text = `exchange ${id}`, ...where } = {}) =>
  link(view, toExchange(id, where), { class: "to-exchange" }, text);
