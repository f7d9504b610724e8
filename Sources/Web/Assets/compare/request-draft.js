// A recorded request while it is edited: rows of fields and of the query, in their order, and the edits for the API.

/** Splits a target's query; each item keeps its text as long as nobody edits it. */
export function queryRows(query) {
  if (query === "") return [];
  return query.split("&").map((text) => {
    const [name, value] = split(text, "=");
    return { text, name: decoded(name), value: value === null ? null : decoded(value) };
  });
}

/** The query of rows; an edited one is encoded, any other stands as it was recorded. */
export const queryOf = (rows) => rows.map((row) => row.text ?? encoded(row)).join("&");

/** The field lines of a head, in their order; each keeps its text as long as nobody edits it. */
export function fieldRows(head) {
  return head.replace(/(\r?\n)+$/, "").split(/\r?\n/).slice(1).map((text) => {
    const [name, value] = split(text, ":");
    return { text, name, value: (value ?? "").replace(/^[ \t]+/, "") };
  });
}

/** The origin of an exchange, as an address has it. */
export function originOf({ scheme, host, port }) {
  const usual = { http: 80, https: 443 }[scheme];
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}${port === usual ? "" : `:${port}`}`;
}

/** An exchange's request while it is edited. */
export class RequestDraft {
  method; origin; path; query; fields;
  /** The whole head, where it is written by hand. */
  raw = null;
  sendsCredentials = false;
  #exchange;
  #start;
  #recorded;
  /** Whether the recorded head is not UTF-8: then each of its characters stands for a byte. */
  #isLatin;

  constructor(exchange) {
    this.#exchange = exchange;
    const head = exchange.request.sentHead ?? exchange.request.head;
    const [path, query] = split(exchange.target, "?");
    this.#start = head.split(/\r?\n/, 1)[0];
    Object.assign(this, {
      method: exchange.method, origin: originOf(exchange), path, hasQuery: query !== null, query: queryRows(query ?? ""), fields: fieldRows(head),
    });
    this.#isLatin = (exchange.request.sentHead ? exchange.request.sentHeadBase64 : exchange.request.headBase64) !== undefined;
    this.#recorded = sent(this.head);
  }

  /** Takes a typed address: an origin, a path, and a query if the address has one. Returns a sentence about its mistake. */
  setAddress(text) {
    // An unchanged address stays as it was recorded, `OPTIONS *` too.
    if (text === this.address) return null;
    const match = /^(https?:\/\/[^/?#\s]+)([^?#\s]*)(?:\?([^#\s]*))?$/i.exec(text.trim());
    if (!match) return "The address begins with http:// or https:// and a host, and has no blanks.";
    this.origin = match[1];
    this.path = match[2] || "/";
    if (match[3] !== undefined) {
      this.query = queryRows(match[3]);
      this.hasQuery = true;
    }
    return null;
  }

  get address() { return this.origin + this.path; }
  get target() { return this.path + (this.query.length || this.hasQuery ? `?${queryOf(this.query)}` : ""); }

  /** The head that the rows make. */
  get head() {
    const version = this.#start.split(" ").pop();
    const fields = this.fields.map(({ text, name, value }) => text ?? `${name}: ${value}`);
    return [`${this.method} ${this.target} ${version}`, ...fields].join("\r\n") + "\r\n\r\n";
  }

  /** A sentence about the mistake in the request; null where it has none. */
  get problem() {
    if (this.raw !== null) return /^\S+ \S+ \S+\r?\n/.test(`${this.raw}\n`) ? null : "The head begins with a method, a target and a version.";
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(this.method)) return "The method is one word, such as GET.";
    if (/\s/.test(this.target)) return "The path and the query have no blanks; write %20 for one.";
    const field = this.fields.find(({ name }) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
    if (field) return field.name ? `“${field.name}” is no name of a field.` : "A field has no name.";
    return null;
  }

  /** The edits for the API. */
  get edits() {
    const edits = {};
    const head = sent(this.raw ?? this.head);
    if (this.origin.toLowerCase() !== originOf(this.#exchange).toLowerCase()) edits.to = this.origin;
    if (head !== this.#recorded) Object.assign(edits, this.#isLatin ? { headBase64: btoa(bytesOf(head)) } : { head });
    if (this.sendsCredentials) edits.sendCredentials = true;
    return edits;
  }
}

/** A head as it goes over the wire. */
const sent = (head) => head.replace(/\r?\n/g, "\r\n").replace(/(\r\n)*$/, "\r\n\r\n");

const encoder = new TextEncoder();

/** A text whose characters stand for bytes, as bytes; a character that stands for none was typed, and becomes UTF-8. */
const bytesOf = (text) => text.replace(/[^\0-\xff]/gu, (character) => String.fromCharCode(...encoder.encode(character)));

function split(text, mark) {
  const cut = text.indexOf(mark);
  return cut < 0 ? [text, null] : [text.slice(0, cut), text.slice(cut + 1)];
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

const encoded = ({ name, value }) => encodeURIComponent(name) + (value === null ? "" : `=${encodeURIComponent(value)}`);
