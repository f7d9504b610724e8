import { el } from "./dom.js";
import { exchangeLink } from "./links.js";

/** A finding of a rule, with a link to the place it speaks of. */
export function findingLine(view, { exchange, method, url, side, pointer, message, consequence }, { isNamed = true } = {}) {
  return el("li", {},
    exchangeLink(view, exchange, { tab: side, pointer, text: isNamed ? `${exchange} ${method} ${shortened(url)}` : `exchange ${exchange}` }),
    " ", el("span", { class: "quiet" }, [side === "request" && "request", pointer].filter(Boolean).join(" ")), " ", message,
    consequence && el("span", { class: "consequence" }, ` ${consequence}`));
}

/** An address without its origin, cut where it is long. */
function shortened(url) {
  const path = url.replace(/^\w+:\/\/[^/]+/, "");
  return path.length > 80 ? `${path.slice(0, 79)}…` : path;
}
