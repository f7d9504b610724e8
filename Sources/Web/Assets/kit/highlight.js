import { el } from "./dom.js";

// The words that a query text searches for, and their places in a text or in bytes.

/** The keys whose values are texts to look for in bodies and messages. */
const wholeText = new Set(["body", "reqbody", "resbody", "message"]);
const known = new Set(["code", "method", "scheme", "host", "port", "path", "url", "query", "type", "header", "reqheader", "resheader", "json", "size",
  "reqsize", "time", "since", "before", "version", "outcome", "client", "process", "lens", "session", "tag", "rule", "note", "is", "id",
  ...wholeText]);
const term = /(-?)(?:([a-z]+):)?("(?:[^"\\]|\\.)*"|[^\s()"]+)/giy;

/** The words and phrases that a query text looks for in heads and bodies. */
export function terms(text) {
  const found = [];
  for (let at = 0; at < text.length;) {
    term.lastIndex = at;
    const match = term.exec(text);
    if (!match) {
      at += 1;
      continue;
    }
    at = term.lastIndex;
    const [whole, negation, key, value] = match;
    if (negation) continue;
    const plain = (words) => words.startsWith('"') ? words.slice(1, -1).replace(/\\(.)/g, "$1") : words;
    if (!key) {
      if (!/^(or|and|not)$/i.test(value)) found.push(plain(value));
    } else if (wholeText.has(key.toLowerCase())) {
      found.push(...(value.startsWith('"') ? [plain(value)] : value.split(",")));
    } else if (!known.has(key.toLowerCase())) {
      found.push(whole);
    }
  }
  return [...new Set(found.filter((one) => one.length > 0))];
}

/** Terms as patterns: `text` for what is drawn, `bytes` for bytes read as Latin text; null without a term. */
export function needles(found) {
  if (!found.length) return null;
  const escaped = found.map((one) => one.replace(/[.*+?^${}()|[\]\\\/-]/g, "\\$&"));
  return { terms: found, text: new RegExp(escaped.join("|"), "gi"), bytes: new RegExp(found.map(inBytes).join("|"), "g") };
}

const encoder = new TextEncoder();
/** Reads every byte as one character. */
export const latin = new TextDecoder("windows-1252");

/** A term as a pattern over bytes: each character in both of its cases. */
function inBytes(text) {
  return [...text].map((character) => {
    const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
    const forms = [...cases].map((one) => latin.decode(encoder.encode(one)).replace(/[.*+?^${}()|[\]\\\/-]/g, "\\$&"));
    return forms.length > 1 ? `(?:${forms.join("|")})` : forms[0];
  }).join("");
}

/** A text as nodes, with what a pattern finds in it marked. */
export function marked(text, pattern) {
  if (!pattern || !text) return text;
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (!match[0]) continue;
    nodes.push(text.slice(at, match.index), el("mark", {}, match[0]));
    at = match.index + match[0].length;
  }
  nodes.push(text.slice(at));
  return nodes;
}
