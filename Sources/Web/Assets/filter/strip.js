import { el, fill } from "./dom.js";
import { count, counted, time } from "./format.js";
import * as preferences from "./preferences.js";
import { kinds, moment, Slots } from "./slots.js";

const height = 44;
// Stretches of the table that screen readers get.
const stretches = 12;
// Milliseconds after the last key before the window becomes the filter.
const keyRest = 350;

/** The time of day, without thousandths where there are none. */
const clock = (ms) => time(ms).replace(/[.,]000$/, "");

/** The whole capture by time: the exchanges a second by outcome, with a window that narrows the list. */
export class Strip {
  #element;
  #view;
  #overview;
  #slots = null;
  #canvas = el("canvas", { "aria-hidden": "true" });
  #brush = el("div", { class: "brush", hidden: true });
  #cursor = el("div", { class: "cursor", hidden: true });
  #says = el("p", { class: "says", role: "status" });
  #plot;
  #fold = el("button", { type: "button", class: "button small fold", "aria-controls": "strip-plot", onclick: () => this.#toggle() });
  #now = el("button", { type: "button", class: "now", hidden: true, onclick: () => this.#view.select("outcome", ["pending"]) });
  #clear = el("button", { type: "button", class: "clear", hidden: true, onclick: () => this.#take() }, "Whole capture");
  #table = el("table");
  /** The window that is being drawn, in slots; null when none is. */
  #drawing = null;
  /** The slot of the keys, and the slot where a window drawn by keys began. */
  #at = null;
  #from = null;
  #timer = 0;

  constructor(element, { view, overview }) {
    [this.#element, this.#view, this.#overview] = [element, view, overview];
    this.#plot = el("div", {
      id: "strip-plot", class: "plot", tabindex: "0", role: "group", "aria-label": "Exchanges over time", "aria-describedby": "strip-help",
      onpointerdown: (event) => this.#down(event), onpointermove: (event) => this.#hover(event), onpointerleave: () => this.#leave(),
      ondblclick: () => this.#take(), onkeydown: (event) => this.#key(event), onblur: () => this.#leave(),
    }, this.#canvas, this.#brush, this.#cursor);
    fill(element,
      el("div", { class: "strip-head" }, this.#fold, this.#says, this.#now, this.#clear),
      this.#plot,
      el("p", { class: "unseen", id: "strip-help" },
        "Arrow keys move from moment to moment; with Shift they select a window of time. Escape shows the whole capture again."),
      // A table is as wide as its text; the element around it need not be.
      el("div", { class: "unseen" }, this.#table));
    new ResizeObserver(() => this.#draw()).observe(this.#plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    new MutationObserver(() => this.#draw()).observe(document.documentElement, { attributes: true });
    overview.addEventListener("told", () => this.#told());
    view.addEventListener("filter", () => this.#drawWindow());
    view.addEventListener("place", () => this.#show());
    this.#drawFold();
  }

  get #isFolded() { return preferences.get("stripFolded", false) === true; }

  #toggle() {
    preferences.set("stripFolded", !this.#isFolded);
    this.#drawFold();
    this.#draw();
  }

  #drawFold() {
    this.#fold.textContent = this.#isFolded ? "▸ Time" : "▾ Time";
    this.#fold.setAttribute("aria-expanded", String(!this.#isFolded));
    this.#plot.hidden = this.#isFolded;
  }

  /** Shows the strip with the list of exchanges, once anything is recorded. */
  #show() {
    const total = this.#overview.answer?.total ?? 0;
    this.#element.hidden = this.#view.place !== "exchanges" || (this.#slots === null && total === 0);
  }

  #told() {
    const { answer } = this.#overview;
    this.#slots = answer.from ? new Slots(answer) : null;
    this.#show();
    this.#draw();
    this.#tell();
  }

  // Drawing

  #draw() {
    const slots = this.#slots;
    const width = this.#plot.clientWidth;
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    const canvas = this.#canvas;
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const paint = canvas.getContext("2d");
    paint.scale(scale, scale);
    paint.clearRect(0, 0, width, height);
    if (!slots) return this.#drawWindow();
    const colours = this.#colours();
    const step = width / slots.length;
    const gap = step >= 4 ? 1 : 0;
    for (let at = 0; at < slots.length; at++) {
      if (!slots.sums[at]) continue;
      // A lone failure among thousands is still a pixel.
      let y = height;
      kinds.forEach(({ name }, kind) => {
        const number = slots.count(name, at);
        if (!number) return;
        const tall = Math.max(1.5, (number / slots.most) * (height - 6));
        y -= tall;
        paint.fillStyle = colours[kind];
        paint.fillRect(at * step, Math.max(0, y), Math.max(1, step - gap), tall);
      });
    }
    this.#drawWindow();
  }

  /** The kinds' colours as a canvas takes them: a token may be written as a mixture, or by scheme. */
  #colours() {
    const probe = el("span", { hidden: true });
    this.#element.append(probe);
    const colours = kinds.map(({ token }) => {
      probe.style.color = `var(${token})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return colours;
  }

  /** The window of the filter, in slots; null without one. */
  get #window() {
    const { since, before } = this.#view;
    if (!this.#slots || (!since && !before)) return null;
    const { begin, end, slotMs } = this.#slots;
    const from = since ? moment(since) : begin;
    const to = before ? moment(before) : end;
    if (Number.isNaN(from) || Number.isNaN(to)) return null;
    return { first: (from - begin) / slotMs, end: (to - begin) / slotMs };
  }

  #drawWindow() {
    const shown = this.#drawing ?? this.#window;
    this.#clear.hidden = !this.#view.since && !this.#view.before;
    this.#brush.hidden = !shown || !this.#slots;
    if (this.#brush.hidden) return;
    const percent = (slot) => 100 * Math.min(1, Math.max(0, slot / this.#slots.length));
    this.#brush.style.left = `${percent(shown.first)}%`;
    this.#brush.style.width = `max(2px, ${percent(shown.end) - percent(shown.first)}%)`;
  }

  /** Says what the strip shows, in words and as a table. */
  #tell() {
    const slots = this.#slots;
    if (!slots) {
      this.#now.hidden = true;
      fill(this.#table);
      return fill(this.#says, "The filter selects no exchange.");
    }
    const totals = slots.totals();
    this.#now.hidden = totals.pending === 0;
    this.#now.textContent = `${count(totals.pending)} in progress`;
    if (this.#at === null) fill(this.#says, this.#sentence(0, slots.length));
    const each = Math.ceil(slots.length / stretches);
    const rows = [];
    for (let first = 0; first < slots.length; first += each) {
      const part = slots.totals(first, first + each);
      rows.push(el("tr", {}, el("th", { scope: "row" }, clock(slots.time(first))), kinds.map(({ name }) => el("td", {}, count(part[name])))));
    }
    fill(this.#table, el("caption", {}, "Exchanges over time"),
      el("thead", {}, el("tr", {}, ["From", ...kinds.map(({ title }) => title)].map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, rows));
  }

  #sentence(first, end) {
    const slots = this.#slots;
    const totals = slots.totals(first, end);
    const sum = Object.values(totals).reduce((all, number) => all + number, 0);
    const parts = kinds.slice(1).filter(({ name }) => totals[name]).map(({ name, title }) => `${count(totals[name])} ${title}`);
    const peak = Math.max(0, ...slots.sums.slice(first, end)) / (slots.slotMs / 1_000);
    const rate = end - first > 1 ? `, up to ${peak < 10 ? peak.toPrecision(2).replace(/\.0$/, "") : count(Math.round(peak))} a second` : "";
    const selected = `${counted(sum, "exchange")}${parts.length ? ` (${parts.join(", ")})` : ""}`;
    return `${selected}${rate} · ${clock(slots.time(first))} – ${clock(slots.time(end))}`;
  }

  // By pointer

  #slotAt(event) {
    const { left, width } = this.#plot.getBoundingClientRect();
    return Math.min(this.#slots.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * this.#slots.length)));
  }

  #down(event) {
    if (!this.#slots || event.button !== 0) return;
    const from = this.#slotAt(event);
    const begun = event.clientX;
    event.preventDefault();
    this.#plot.focus({ preventScroll: true });
    const move = (moved) => {
      if (!this.#drawing && Math.abs(moved.clientX - begun) < 4) return;
      const to = this.#slotAt(moved);
      this.#drawing = { first: Math.min(from, to), end: Math.max(from, to) + 1 };
      this.#drawWindow();
      this.#look(to);
    };
    const listeners = { pointermove: move, pointerup: (ended) => end(ended), pointercancel: (ended) => end(ended) };
    const end = (ended) => {
      for (const [name, does] of Object.entries(listeners)) window.removeEventListener(name, does);
      const drawn = this.#drawing;
      this.#drawing = null;
      if (drawn && ended.type === "pointerup") this.#apply(drawn);
      else this.#drawWindow();
    };
    for (const [name, does] of Object.entries(listeners)) window.addEventListener(name, does);
  }

  #hover(event) {
    if (!this.#slots) return;
    this.#look(this.#slotAt(event));
  }

  /** Looks at one slot, or at the window that is being drawn. */
  #look(at) {
    this.#at = at;
    this.#cursor.hidden = false;
    this.#cursor.style.left = `${(100 * (at + 0.5)) / this.#slots.length}%`;
    fill(this.#says, this.#drawing ? this.#sentence(this.#drawing.first, this.#drawing.end) : this.#sentence(at, at + 1));
  }

  #leave() {
    this.#at = null;
    this.#from = null;
    this.#cursor.hidden = true;
    if (this.#slots) fill(this.#says, this.#sentence(0, this.#slots.length));
  }

  // By key

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#slots) return;
    if (event.key === "Escape") {
      if (!this.#view.since && !this.#view.before) return;
      event.stopPropagation();
      this.#take();
      return;
    }
    const last = this.#slots.length - 1;
    const at = Math.min(last, this.#at ?? last);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const slot = this.#at === null && event.key.startsWith("Arrow") ? at : Math.min(last, Math.max(0, to));
    if (event.shiftKey) {
      this.#from ??= at;
      this.#drawing = { first: Math.min(this.#from, slot), end: Math.max(this.#from, slot) + 1 };
      this.#drawWindow();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        const drawn = this.#drawing;
        this.#drawing = null;
        if (drawn) this.#apply(drawn);
      }, keyRest);
    } else this.#from = null;
    this.#look(slot);
  }

  // The filter

  #apply({ first, end }) {
    const text = (slot) => new Date(this.#slots.time(slot)).toISOString();
    this.#view.change({ since: text(first), before: text(end) });
  }

  #take() {
    clearTimeout(this.#timer);
    this.#drawing = null;
    if (this.#view.since || this.#view.before) this.#view.change({ since: "", before: "" });
  }
}
