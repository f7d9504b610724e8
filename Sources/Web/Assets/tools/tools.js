import { openClear } from "./clearing.js";
import { el, fill } from "./dom.js";
import { openExport, openShare } from "./exporting.js";
import * as help from "./help.js";
import { Menu } from "./menu.js";
import { choose, theme, themes } from "./theme.js";

/** The end of the bar: pause, and a menu for export, share, clear, colours and the rest. */
export class Tools {
  #parts;
  #recording;
  #pause = el("button", { type: "button", class: "button", id: "pause", onclick: () => this.pause() });
  #menu = new Menu("Menu", () => this.#items(), { className: "more-tools", text: "☰" });
  #own = [];

  constructor(element, { view, counts, reading, notice, instance, recording }) {
    this.#parts = { view, counts, reading, notice, instance };
    this.#recording = recording;
    recording.addEventListener("changed", () => this.#draw());
    const wide = (text, run) => el("button", { type: "button", class: "button wide-only", onclick: run }, text);
    fill(element, recording.canRecord && this.#pause,
      wide("Export", () => this.export()), wide("Share", () => this.share()), wide("Clear", () => this.clear()), this.#menu.element);
    this.#draw();
  }

  /** Adds entries of another part to the menu: a function that returns them each time it is opened. */
  add(items) { this.#own.push(items); }

  export() { openExport(this.#parts); }
  share() { openShare(this.#parts); }
  clear() { openClear(this.#parts); }
  help() { help.open(); }
  pause() { if (this.#recording.canRecord) this.#recording.toggle(); }

  #items() {
    const { view } = this.#parts;
    const { isPaused, canRecord } = this.#recording;
    const entry = (label, place) => {
      const change = { place, details: {}, chosen: null };
      return { label, href: view.href(change), run: () => view.change(change) };
    };
    return [
      { label: "Export…", hint: "e", run: () => this.export() },
      { label: "Share…", hint: "s", run: () => this.share() },
      { label: "Clear…", hint: "x", run: () => this.clear() },
      ...(canRecord ? [{ label: isPaused ? "Resume recording" : "Pause recording", hint: "p", run: () => this.pause() }] : []),
      null,
      ...this.#own.flatMap((items) => items()),
      { heading: "Colours" },
      ...Object.entries(themes).map(([name, label]) => ({ label, isChecked: theme() === name, run: () => choose(name) })),
      null,
      entry("Set up a client", "setup"),
      entry("Manual", "manual"),
      { label: "Keys", hint: "?", run: () => this.help() },
    ];
  }

  #draw() {
    const { isPaused } = this.#recording;
    this.#pause.textContent = isPaused ? "Record" : "Pause";
    this.#pause.setAttribute("aria-label", isPaused ? "Resume recording" : "Pause recording");
  }
}
