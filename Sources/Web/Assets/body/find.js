import { el } from "./dom.js";
import { count } from "./format.js";
import { latin, needles } from "./highlight.js";

const stepBytes = 1 << 20;
// Bytes that are read again at the end of a step, for matches across its border.
const overlap = 4 << 10;
const hitLimit = 20_000;
const rest = 150;

/** Finds every place of the needles in a blob, as offsets; tells its progress. */
async function search(blob, pattern, { tell, signal }) {
  const hits = [];
  for (let at = 0; at < blob.size && hits.length < hitLimit; at += stepBytes) {
    const bytes = new Uint8Array(await blob.slice(at, at + stepBytes + overlap).arrayBuffer());
    if (signal.aborted) return null;
    const text = latin.decode(bytes);
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match && hits.length < hitLimit; match = pattern.exec(text)) {
      const start = at + match.index;
      if (match.index >= stepBytes) break;
      if (start >= (hits.at(-1)?.end ?? 0)) hits.push({ start, end: start + match[0].length });
    }
    tell(hits);
  }
  return hits;
}

/**
 * The find box of a body: finds the typed text, or the words of the present filter while nothing is typed.
 *
 * `on.found(hits, pattern)` is called as hits come in, `on.go(hit)` with the one to show.
 */
export class Find {
  #blob;
  #terms;
  #on;
  #abort = new AbortController();
  #timer = 0;
  #hits = [];
  #at = -1;
  #said = el("span", { class: "quiet found-count", role: "status" });
  #input;

  constructor(blob, { terms, on }) {
    this.#blob = blob;
    this.#terms = terms;
    this.#on = on;
    this.#input = el("input", {
      type: "search", class: "find-inside", "aria-label": "Find in the body", autocomplete: "off", spellcheck: "false",
      placeholder: terms.length ? `Find (marked: ${terms.join(", ")})` : "Find in the body",
      oninput: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#start(), rest);
      },
      onkeydown: (event) => this.#key(event),
    });
    const button = (label, text, step) => el("button", {
      type: "button", class: "button small", "aria-label": label, title: label, onclick: () => this.step(step),
    }, text);
    this.element = el("span", { class: "finder" }, this.#input, button("Previous match", "↑", -1), button("Next match", "↓", 1), this.#said);
    if (terms.length) this.#start();
  }

  /** Goes to the next match or the one before. */
  step(by) {
    if (!this.#hits.length) return;
    this.#at = this.#at < 0 ? (by > 0 ? 0 : this.#hits.length - 1) : (this.#at + by + this.#hits.length) % this.#hits.length;
    this.#say();
    this.#on.go(this.#hits[this.#at]);
  }

  /** Puts the caret into the box. */
  focus() { this.#input.focus(); }

  /** Stops the work that is under way. */
  end() {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  async #start() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const typed = this.#input.value;
    const wanted = needles(typed ? [typed] : this.#terms);
    this.#hits = [];
    this.#at = -1;
    this.#on.found([], wanted);
    this.#said.textContent = "";
    if (!wanted) return;
    const hits = await search(this.#blob, wanted.bytes, { signal, tell: (some) => { this.#said.textContent = `${count(some.length)}…`; } });
    if (!hits || signal.aborted) return;
    this.#hits = hits;
    this.#on.found(hits, wanted);
    if (typed) this.step(1);
    this.#say();
  }

  #say() {
    const number = this.#hits.length;
    const whole = `${count(number)}${number >= hitLimit ? " or more" : ""}`;
    this.#said.textContent = number === 0 ? "none" : this.#at < 0 ? whole : `${count(this.#at + 1)} of ${whole}`;
  }

  #key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && this.#input.value) {
      event.stopPropagation();
      this.#input.value = "";
      this.#start();
    }
  }
}

/** The hits that reach into a range of bytes; hits are in order and apart. */
export function hitsIn(hits, from, to) {
  let low = 0;
  for (let high = hits.length; low < high;) {
    const middle = (low + high) >> 1;
    if (hits[middle].end <= from) low = middle + 1;
    else high = middle;
  }
  const found = [];
  for (let at = low; at < hits.length && hits[at].start < to; at += 1) found.push(hits[at]);
  return found;
}
