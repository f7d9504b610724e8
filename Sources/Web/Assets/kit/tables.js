import { el } from "./dom.js";
import { marked } from "./highlight.js";
import { paged } from "./paged.js";

// The small tables that the parts of an exchange are made of.

/** A list of names and values; a name without a value is left out. */
export function facts(pairs) {
  const known = pairs.filter(([, text]) => text !== null && text !== undefined && text !== "" && text !== false);
  return el("dl", { class: "facts" }, known.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
}

/** A table of rows [name, value, class]; a value of null is shown as missing. */
export function pairs(title, rows, pattern = null) {
  if (!rows.length) return null;
  const body = el("tbody");
  const table = el("table", { class: "fields" }, body);
  const place = el("section", {}, el("h3", {}, rows.length > 20 ? `${title} (${rows.length.toLocaleString("en")})` : title), table);
  paged(body, rows, ([name, value, kind]) => el("tr", { class: kind || null },
    el("th", { scope: "row" }, marked(name, pattern)),
    el("td", {}, value === null ? el("i", { class: "quiet" }, "no value") : marked(value, pattern))), { around: table });
  return place;
}

/** The program that sent an exchange, with its process number where that is known; null where the program is not known. */
export function processText({ process, clientConnection }) {
  const pid = clientConnection?.process?.pid;
  return process && pid ? `${process} (${pid})` : process ?? null;
}

/** The parameters of a target's query. */
export function query(target) {
  const cut = target.indexOf("?");
  return cut < 0 ? [] : target.slice(cut + 1).split("&").filter(Boolean).map((pair) => {
    const equals = pair.indexOf("=");
    return equals < 0 ? [readable(pair), null] : [readable(pair.slice(0, equals)), readable(pair.slice(equals + 1))];
  });
}

/** The cookies that a request sends or a response sets; a cookie's attributes follow its value. */
export function cookies(fields, side) {
  const wanted = side === "request" ? "cookie" : "set-cookie";
  const values = fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const cut = (pair) => {
    const equals = pair.indexOf("=");
    return equals < 0 ? [pair.trim(), null] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
  };
  if (side === "request") return values.flatMap((value) => value.split(";").filter((pair) => pair.trim()).map(cut));
  return values.map((value) => {
    const [first, ...rest] = value.split(";");
    const [name, text] = cut(first);
    return [name, [text ?? "", ...rest.map((one) => one.trim())].join("; ")];
  });
}

function readable(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
