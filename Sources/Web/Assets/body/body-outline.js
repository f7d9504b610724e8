// HTML and XML taken apart by hand; nothing is given to a parser that could load or run anything. The text is gone over once, whatever stands in
// it: what was looked for and does not occur any more is not looked for again.

const nodeLimit = 200_000;
const depthLimit = 400;
const single = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]);
const raw = new Map(["script", "style", "textarea", "title"].map((name) => [name, new RegExp(`</${name}`, "gi")]));
const begins = /<(?:[!?A-Za-z_:]|\/[A-Za-z_:])/g;
const named = /<(\/?)([A-Za-z_:][^\s>/]*)/y;
const notable = /[>"']/g;
// Characters that are read between two frames.
const sliceTokens = 5_000;
const sliceLength = 256 << 10;

/**
 * The nodes of a text: {text, kind} or {name, open, close, children}, and whether some are left out.
 *
 * Stops after each slice, so that the page may draw a frame.
 */
export function* outline(text) {
  const scanner = new Scanner(text);
  const root = { children: [] };
  const stack = [root];
  // How many open elements have a name.
  const open = new Map();
  let number = 0;
  let slice = { number: 0, at: 0 };
  for (let part = scanner.next(); part !== null && number < nodeLimit; part = scanner.next()) {
    const [, slash, name] = match(named, part) ?? [];
    const top = stack.at(-1);
    if (!name) {
      const shown = part.trim();
      if (shown) top.children.push({ text: shown, kind: part.startsWith("<!--") ? "comment" : /^<[!?]/.test(part) ? "quiet" : "" });
    } else if (slash) {
      if (open.get(name) > 0) close(stack, open, name, part);
      else top.children.push({ text: part, kind: "element" });
    } else {
      const node = { name, open: part, close: null, children: [] };
      top.children.push(node);
      const lower = name.length < 16 ? name.toLowerCase() : name;
      if (!part.endsWith("/>") && !single.has(lower)) {
        if (raw.has(lower)) {
          const inner = scanner.until(raw.get(lower)).trim();
          if (inner) node.children.push({ text: inner, kind: "" });
        }
        if (stack.length < depthLimit) {
          stack.push(node);
          open.set(name, (open.get(name) ?? 0) + 1);
        }
      }
    }
    number += 1;
    if (number - slice.number >= sliceTokens || scanner.at - slice.at >= sliceLength) {
      slice = { number, at: scanner.at };
      yield;
    }
  }
  return { nodes: root.children, isCut: number >= nodeLimit };
}

/** Closes the innermost open element of a name, and those within it. */
function close(stack, open, name, part) {
  for (;;) {
    const node = stack.pop();
    open.set(node.name, open.get(node.name) - 1);
    if (node.name !== name) continue;
    node.close = part;
    return;
  }
}

/** The parts of a text, one after the other: tags, comments, declarations, and what is between. */
class Scanner {
  #text;
  #gone = new Set();
  at = 0;

  constructor(text) { this.#text = text; }

  /** The next part; null at the end. */
  next() {
    const text = this.#text;
    const start = this.at;
    if (start >= text.length) return null;
    if (text[start] === "<" && this.#first(begins, start) === start) {
      if (text.startsWith("<!--", start)) this.at = this.#after("-->", start + 4);
      else if (text.startsWith("<![CDATA[", start)) this.at = this.#after("]]>", start + 9);
      else if (/[!?]/.test(text[start + 1])) this.at = this.#after(">", start + 2);
      else this.at = this.#tagEnd(start + 1);
    } else {
      this.at = this.#first(begins, start + 1);
    }
    return text.slice(start, this.at);
  }

  /** What stands before the next place that a pattern finds, or the rest. */
  until(pattern) {
    const start = this.at;
    this.at = this.#first(pattern, start);
    return this.#text.slice(start, this.at);
  }

  /** Where a tag ends: after a `>` that stands in no quotes; a quote that nothing closes is none. */
  #tagEnd(start) {
    for (let from = start; ;) {
      const found = this.#first(notable, from);
      if (found >= this.#text.length) return found;
      if (this.#text[found] === ">") return found + 1;
      const closed = this.#find(this.#text[found], found + 1);
      from = (closed < 0 ? found : closed) + 1;
    }
  }

  #first(pattern, from) {
    pattern.lastIndex = from;
    return pattern.exec(this.#text)?.index ?? this.#text.length;
  }

  #after(what, from) {
    const found = this.#find(what, from);
    return found < 0 ? this.#text.length : found + what.length;
  }

  #find(what, from) {
    if (this.#gone.has(what)) return -1;
    const found = this.#text.indexOf(what, from);
    if (found < 0) this.#gone.add(what);
    return found;
  }
}

function match(pattern, text) {
  pattern.lastIndex = 0;
  return pattern.exec(text);
}
