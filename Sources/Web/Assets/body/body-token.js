import { el } from "./dom.js";
import { fullTime } from "./format.js";
import { pretty } from "./pretty.js";

// Three parts of base64url, the first the beginning of an object (RFC 7519 §3). Nothing in it can be read in two ways, so that it takes one pass.
const whole = /^eyJ[\w-]{4,}\.(?:[\w-]{4,}|eyJ[\w-]*)\.[\w-]*$/;
const run = /[\w.-]{12,}/g;
const limit = 16 << 10;
const times = [["exp", "Expires"], ["nbf", "Valid from"], ["iat", "Issued"], ["auth_time", "Signed in"]];
const names = [["iss", "Issuer"], ["sub", "Subject"], ["aud", "Audience"], ["jti", "Number"], ["scope", "Scope"]];

/** Whether a text is one token and nothing else. */
export const isToken = (text) => {
  const trimmed = text.trim();
  return whole.test(trimmed) && read(trimmed) !== null;
};

/** The tokens among fields, each with the name of the field it is in. */
export function tokens(fields) {
  const found = [];
  for (const [name, value] of fields.slice(0, 500)) {
    const token = first(value.slice(0, limit));
    if (token && read(token)) found.push([name, token]);
    if (found.length === 5) break;
  }
  return found;
}

/** The first thing in a text that has the shape of a token; null without one. */
function first(text) {
  for (const [letters] of text.matchAll(run)) {
    const parts = letters.split(".");
    for (let at = 0; at + 2 < parts.length; at += 1) {
      const start = beginning(parts[at]);
      const payload = parts[at + 1];
      if (start >= 0 && (payload.length >= 4 || payload.startsWith("eyJ"))) return [parts[at].slice(start), payload, parts[at + 2]].join(".");
    }
  }
  return null;
}

/** Where a token's first part begins among letters: at their beginning or after a minus; -1 where none does. */
function beginning(letters) {
  for (let at = letters.indexOf("eyJ"); at >= 0 && letters.length - at >= 7; at = letters.indexOf("eyJ", at + 1)) {
    if (at === 0 || letters[at - 1] === "-") return at;
  }
  return -1;
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
      el("dl", { class: "facts" }, rows.map(([name, value]) => [
        el("dt", {}, name),
        el("dd", {}, typeof value === "object" && !(value instanceof Node) ? JSON.stringify(value) : value),
      ])),
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
