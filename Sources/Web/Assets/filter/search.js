import * as api from "./api.js";
import { Combobox } from "./combobox.js";
import { byId, el, fill } from "./dom.js";
import { count } from "./format.js";
import { read } from "./reading.js";

// Milliseconds after the last key until the list narrows to what was typed.
const narrowAfter = 150;

/** The search box: query text, completed and checked while it is typed; and the box for a host. */
export class Search {
  #view;
  #counts;
  #searches;
  #box = byId("query");
  #problem = el("p", { id: "query-problem", class: "wrong", role: "status", hidden: true });
  #meaning = el("p", { id: "query-meaning", class: "meaning", hidden: true });
  #suggestions;
  #keys = null;
  /** The number of searches so far. */
  #searched = 0;
  #timer = 0;
  /** Whether the filter changes to what is being typed. */
  #isNarrowing = false;
  /** Whether the address holds what was typed so far: what is typed next takes its place in the history. */
  #isTyped = false;

  constructor({ view, reading, counts, searches }) {
    this.#view = view;
    this.#counts = counts;
    this.#searches = searches;
    this.#suggestions = new Combobox(this.#box, {
      label: "Completions and earlier searches",
      on: { suggest: (text) => this.#suggest(text), take: (option) => this.#take(option) },
      above: [this.#problem, this.#meaning],
    });
    new Combobox(byId("host"), {
      label: "Hosts seen", rest: 0,
      on: { suggest: (text) => this.#hosts(text), take: ({ text }) => this.#addHost(text) },
    });
    this.#wire();
    reading.addEventListener("read", () => this.#box.value.trim() === view.text && this.#say(reading, view.text));
    this.#draw();
  }

  focus() {
    this.#box.focus();
    this.#box.select();
    this.#suggestions.open({ rest: 0 });
  }

  focusHost() { byId("host").focus(); }

  /** Selects a term of the text, to change it. */
  edit({ from, to }) {
    this.#box.focus();
    this.#box.setSelectionRange(from, to);
    this.#suggestions.open({ rest: 0 });
  }

  /** Searches for a query text, or shows where it cannot be read. */
  async search(text) {
    clearTimeout(this.#timer);
    const searched = this.#searched += 1;
    const reading = await this.#check(text);
    // Another search has overtaken it.
    if (searched !== this.#searched) return;
    if (reading?.error) {
      this.#suggestions.open({ rest: 0 });
      if (reading.offset !== null) this.#box.setSelectionRange(reading.offset, reading.offset + 1);
      return;
    }
    this.#suggestions.close();
    this.#searches.remember(text);
    const place = ["setup", "manual"].includes(this.#view.place) ? { place: "exchanges", details: {} } : {};
    this.#view.change({ text, ...place }, { replacing: this.#isTyped });
    this.#isTyped = false;
  }

  /** Narrows the list to what was typed, where that can be read; everywhere else Enter searches. */
  async #narrow() {
    clearTimeout(this.#timer);
    const text = this.#box.value.trim();
    if (!this.#narrows || text === this.#view.text) return;
    const searched = this.#searched += 1;
    const reading = await this.#check(text);
    if (searched !== this.#searched || !reading || reading.error || !this.#narrows || text !== this.#box.value.trim()) return;
    this.#isNarrowing = true;
    this.#view.change({ text }, { replacing: this.#isTyped });
    this.#isNarrowing = false;
    this.#isTyped = true;
  }

  get #narrows() { return this.#view.place === "exchanges"; }

  #narrowSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#narrow(), narrowAfter);
  }

  /** Remembers what was typed, when the box is left with it. */
  async #settle() {
    await this.#narrow();
    if (this.#box.value.trim() !== this.#view.text) return;
    this.#isTyped = false;
    this.#searches.remember(this.#view.text);
  }

  #wire() {
    byId("find").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#addHost(byId("host").value);
      const text = this.#box.value.trim();
      if (text !== this.#view.text) return this.search(text);
      this.#settle();
      this.#suggestions.close();
    });
    this.#box.addEventListener("input", () => {
      byId("query-clear").hidden = !this.#box.value;
      this.#underline(null);
      this.#narrowSoon();
    });
    // A completion that was taken is no change to the browser, so all that was typed settles where the box is left.
    this.#box.addEventListener("blur", () => {
      if (this.#isTyped || this.#box.value.trim() !== this.#view.text) this.#settle();
    });
    this.#box.addEventListener("scroll", () => this.#scroll());
    byId("query-clear").addEventListener("click", () => {
      this.#view.change({ text: "" });
      this.#draw();
      this.#box.focus();
    });
    this.#view.addEventListener("filter", () => this.#draw());
    // The entry of the history is no longer that of what was typed.
    for (const name of ["chosen", "place"]) this.#view.addEventListener(name, () => { this.#isTyped = false; });
  }

  #draw() {
    // What is typed stays as it is typed, with a blank at its end.
    if (!this.#isNarrowing) {
      clearTimeout(this.#timer);
      this.#isTyped = false;
      this.#box.value = this.#view.text;
    }
    byId("query-clear").hidden = !this.#box.value;
    this.#problem.hidden = true;
    this.#underline(null);
  }

  #addHost(text) {
    const host = text.trim().toLowerCase();
    byId("host").value = "";
    if (host && !this.#view.selected("host").includes(host)) this.#view.select("host", [...this.#view.selected("host"), host]);
  }

  #hosts(text) {
    const typed = text.trim().toLowerCase();
    const hosts = (this.#counts.facets.host ?? []).filter(({ value }) => value.toLowerCase().includes(typed)).sort((a, b) => b.count - a.count);
    return { options: hosts.slice(0, 50).map((host) => ({ text: host.value, label: host.value, about: count(host.count) })) };
  }

  /** The completions of the text, and whether the whole text can be read. */
  async #suggest(text) {
    if (!this.#box.value.trim()) {
      this.#say(null);
      return { options: await this.#searches.options() };
    }
    const [options, reading] = await Promise.all([this.#completions(text), this.#check(this.#box.value)]);
    const isOther = !this.#narrows && this.#box.value.trim() !== this.#view.text;
    return { options, isWorthShowing: options.length > 0 || Boolean(reading?.error) || (isOther && Boolean(reading?.sentence)) };
  }

  async #completions(text) {
    try {
      const [{ completions }, keys] = await Promise.all([api.get(`complete?${new URLSearchParams({ q: text })}`), this.#knownKeys()]);
      const start = Math.max(...[" ", "("].map((mark) => text.lastIndexOf(mark))) + 1;
      return completions.filter((completion) => completion !== text).map((completion) => {
        const label = completion.slice(start);
        const [, name, value] = /^-*(\w+):(.*)$/.exec(label) ?? [];
        const seen = this.#counts.facets[name]?.find((one) => one.value === value.replace(/^.*,|"/g, ""));
        return { text: completion, label, about: name && !value ? keys.get(name) : seen && count(seen.count) };
      });
    } catch {
      return [];
    }
  }

  async #knownKeys() {
    this.#keys ??= new Map((await api.get("filter/keys")).keys.map(({ name, values }) => [name, values]));
    return this.#keys;
  }

  /** Has the text read, and shows its mistake or its meaning. */
  async #check(text) {
    try {
      const reading = await read(new URLSearchParams({ q: text }));
      if (this.#box.value.trim() === text.trim()) this.#say(reading, text);
      return reading;
    } catch {
      return null;
    }
  }

  #say(reading, text) {
    const error = reading?.error ?? "";
    const isOther = reading && !this.#narrows && text.trim() !== this.#view.text;
    if (this.#problem.textContent !== error) fill(this.#problem, error);
    this.#problem.hidden = !error;
    this.#meaning.hidden = Boolean(error) || !isOther;
    fill(this.#meaning, isOther && reading.sentence && `Enter shows ${reading.sentence}.`);
    this.#box.setAttribute("aria-invalid", String(Boolean(error)));
    this.#underline(error ? reading.offset : null);
  }

  /** Underlines the text from an offset to the end of its word; null removes the line. */
  #underline(offset) {
    const text = this.#box.value;
    const end = offset === null ? 0 : Math.max(offset + 1, offset + text.slice(offset).search(/\s|$/));
    fill(byId("query-line"), offset !== null && [text.slice(0, offset), el("mark", {}, text.slice(offset, end) || " ")]);
    this.#scroll();
  }

  #scroll() { byId("query-line").style.translate = `${-this.#box.scrollLeft}px 0`; }

  #take({ text, isWhole }) {
    const rest = isWhole ? "" : this.#box.value.slice(this.#box.selectionEnd ?? this.#box.value.length);
    this.#box.value = text + rest;
    this.#box.setSelectionRange(text.length, text.length);
    byId("query-clear").hidden = false;
    if (isWhole) return this.search(text);
    this.#suggestions.open({ rest: 0 });
    this.#narrowSoon();
  }
}
