import { latin } from "./highlight.js";
import { pieceLength } from "./pieces.js";

// JSON that is read where it is shown: a group's members are found in one pass over its bytes, and one in 256 is remembered.
// Nothing is parsed whole, so a number keeps every digit, a repeated key stays, and a body of any size costs little memory.

const every = 256;
const headBytes = 2_048;
const longKeyBytes = 64 << 10;
const decoder = new TextDecoder();
const [quote, backslash, comma, openArray, closeArray, openObject, closeObject] = [...'"\\,[]{}'].map((one) => one.charCodeAt(0));
const blank = new Set([9, 10, 13, 32]);
const kinds = { "{": "object", "[": "array", '"': "string", t: "boolean", f: "boolean", n: "null" };

/** Goes over the members of a group from an offset in it; gives each member's bounds, and returns where the group ends. */
async function eachMember(pieces, from, give, signal) {
  let depth = 1;
  let isString = false;
  let isEscaped = false;
  let first = -1;
  for (let number = Math.floor(from / pieceLength); number * pieceLength < pieces.size; number += 1) {
    const bytes = await pieces.at(number);
    signal?.throwIfAborted();
    const base = number * pieceLength;
    for (let index = Math.max(0, from - base); index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isString = false;
        continue;
      }
      if (byte === closeObject || byte === closeArray) {
        depth -= 1;
        if (depth > 0) continue;
        if (first >= 0) give(first, base + index);
        return base + index;
      }
      if (byte === comma && depth === 1) {
        if (first >= 0 && give(first, base + index) === false) return null;
        first = -1;
        continue;
      }
      if (first < 0 && !blank.has(byte)) first = base + index;
      if (byte === quote) isString = true;
      else if (byte === openObject || byte === openArray) depth += 1;
    }
  }
  if (first >= 0) give(first, pieces.size);
  return pieces.size;
}

/** A value of the text that may have members; `start` and `end` bound it. */
export class Node {
  #pieces;
  #marks = [];
  #heads = new Map();
  /** The open groups among the members, by place. */
  open = new Map();
  isOpen = false;
  count = null;

  constructor(pieces, { parent = null, index = 0, key = null, start, end, kind, text }) {
    this.#pieces = pieces;
    Object.assign(this, { parent, index, key, start, end, kind, text, depth: parent ? parent.depth + 1 : 0 });
  }

  /** The value that a whole text is. */
  static async root(pieces) {
    let start = 0;
    const head = await pieces.range(0, 4_096);
    if (head[0] === 0xef && head[1] === 0xbb) start = 3;
    while (start < head.length && blank.has(head[start])) start += 1;
    return new Node(pieces, await describe(pieces, start, pieces.size));
  }

  get isGroup() { return this.kind === "object" || this.kind === "array"; }

  /** The number of rows of the value, with its own and its closing line. */
  get rows() {
    if (!this.isOpen || !this.count) return 1;
    let rows = this.count + 2;
    for (const node of this.open.values()) rows += node.rows - 1;
    return rows;
  }

  /** Counts the members, once. */
  async counted(signal) {
    if (this.count !== null || !this.isGroup) return this.count ?? 0;
    const marks = [];
    let count = 0;
    await eachMember(this.#pieces, this.start + 1, (start) => {
      if (count % every === 0) marks.push(start);
      count += 1;
    }, signal);
    this.#marks = marks;
    this.count = count;
    return count;
  }

  /** The members from one place to another, as rows show them. */
  async members(from, to) {
    const wanted = [];
    for (let index = from; index < to; index += 1) if (!this.#heads.has(index)) wanted.push(index);
    if (wanted.length) {
      if (this.#heads.size > 4 * every) this.#heads.clear();
      await this.#read(Math.min(from, wanted[0]), to);
    }
    return Array.from({ length: to - from }, (_, offset) => this.#heads.get(from + offset)).filter(Boolean);
  }

  /** The member at a place as a value of its own. */
  async child(index) {
    const [member] = await this.members(index, index + 1);
    return this.open.get(index) ?? new Node(this.#pieces, { ...member, parent: this });
  }

  /** The place of the member that holds an offset. */
  async placeOf(offset) {
    await this.counted();
    let mark = this.#marks.findLastIndex((start) => start <= offset);
    if (mark < 0) return null;
    let index = mark * every - 1;
    await eachMember(this.#pieces, this.#marks[mark], (start, end) => {
      if (start > offset) return false;
      index += 1;
      return end <= offset ? undefined : false;
    });
    return index;
  }

  /** The whole text of the value. */
  async whole() { return decoder.decode(await this.#pieces.range(this.start, this.end)).trimEnd(); }

  async #read(from, to) {
    const mark = Math.floor(from / every);
    const bounds = [];
    let index = mark * every;
    await eachMember(this.#pieces, this.#marks[mark], (start, end) => {
      if (index >= from) bounds.push([index, start, end]);
      index += 1;
      return index < to;
    });
    for (const [place, start, end] of bounds) this.#heads.set(place, await member(this.#pieces, this.kind, place, start, end));
  }
}

/** A member as a row shows it: its key, the place of its value, and the value's first characters. */
async function member(pieces, kind, index, start, end) {
  if (kind === "array") return { index, key: index, ...(await describe(pieces, start, end)) };
  const pattern = /^"((?:[^"\\]|\\[^])*)"\s*:\s*/;
  let bytes = await pieces.range(start, Math.min(end, start + headBytes));
  let match = pattern.exec(latin.decode(bytes));
  if (!match && end - start > headBytes) {
    bytes = await pieces.range(start, Math.min(end, start + longKeyBytes));
    match = pattern.exec(latin.decode(bytes));
  }
  if (!match) return { index, key: "", ...(await describe(pieces, start, end)) };
  const key = meaning(decoder.decode(bytes.subarray(0, match[1].length + 2)));
  return { index, key, ...(await describe(pieces, start + match[0].length, end)) };
}

async function describe(pieces, start, end) {
  const bytes = await pieces.range(start, Math.min(end, start + headBytes));
  const isCut = end - start > headBytes;
  const text = decoder.decode(bytes).trimEnd();
  const kind = kinds[text[0]] ?? "number";
  if (kind === "object" || kind === "array") return { kind, start, end, text: /^[[{]\s*[\]}]/.test(text) ? "empty" : "" };
  if (kind === "string" && !isCut) return { kind, start, end, text: JSON.stringify(meaning(text)) };
  return { kind, start, end, text: isCut ? `${text}…` : text };
}

/** The meaning of a quoted text; the text itself where it cannot be read. */
function meaning(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
