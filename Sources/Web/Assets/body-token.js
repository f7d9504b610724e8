import { el } from "./dom.js";
import { fullTime } from "./format.js";
import { pretty } from "./pretty.js";

const shape = /\b(eyJ[A-Za-z0-9_-]{4,})\.(eyJ[A-Za-z0-9_-]*|[A-Za-z0-9_-]{4,})\.([A-Za-z0-9_-]*)/;
const limit = 16 << 10;
const times = [["exp", "Expires"], ["nbf", "Valid from"], ["iat", "Issued"], ["auth_time", "Signed in"]];
const names = [["iss", "Issuer"], ["sub", "Subject"], ["aud", "Audience"], ["jti", "Number"], ["scope", "Scope"]];

/** Whether a text is one token and nothing else. */
export const isToken = (text) => {
  const trimmed = text.trim();
  return shape.exec(trimmed)?.[0] === trimmed && read(trimmed) !== null;
};

/** The tokens among fields, each with the name of the field it is in. */
export function tokens(fields) {
  const found = [];
  for (const [name, value] of fields.slice(0, 500)) {
    const match = shape.exec(value.slice(0, limit));
    if (match && read(match[0])) found.push([name, match[0]]);
  }
  return found.slice(0, 5);
}

/** A JSON Web Token (RFC 7519) taken apart. Its signature is not checked: the key is not ours. */
export class TokenView {
  constructor(text) {
    const { header, payload, headerText, payloadText } = read(text);
    const now = Date.now() / 1000;
    const rows = [
      ["Algorithm", header.alg],
      ...names.map(([key, title]) => [title, Array.isArray(payload[key]) ? payload[key].join(", ") : payload[key]]),
      ...times.map(([key, title]) => [title, typeof payload[key] === "number" && when(key, payload[key], now)]),
    ].filter(([, value]) => value !== undefined && value !== false && value !== null);
    this.element = el("div", { class: "token" },
      el("dl", { class: "facts" }, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, typeof value === "object" && !(value instanceof Node) ? JSON.stringify(value) : value)])),
      el("p", { class: "quiet" }, "The signature is not verified."),
      el("h4", {}, "Header"), el("pre", { class: "text" }, pretty(headerText)),
      el("h4", {}, "Payload"), el("pre", { class: "text" }, pretty(payloadText)));
  }
}

function when(key, seconds, now) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  const isPast = seconds < now;
  const word = key === "exp" && isPast ? " (has expired)" : key === "nbf" && !isPast ? " (not yet)" : "";
  return el("span", { class: word && "bad" }, `${fullTime(date)}${word}`);
}

function read(text) {
  const [header, payload] = text.split(".");
  try {
    const headerText = decoded(header);
    const payloadText = decoded(payload);
    const [one, two] = [JSON.parse(headerText), JSON.parse(payloadText)];
    return one && two && typeof one === "object" && typeof two === "object" ? { header: one, payload: two, headerText, payloadText } : null;
  } catch {
    return null;
  }
}

function decoded(part) {
  const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
