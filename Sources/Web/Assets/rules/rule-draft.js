import { el } from "./dom.js";
import { RuleTrial } from "./rule-trial.js";

// Milliseconds that typing rests before the text is tried.
const rest = 500;

/** A box for a rules file of which nothing is written and nothing is switched on: while it is typed, it says what its rules would have done. */
export class RuleDraft {
  element;
  #box;
  #trial;
  #timer = 0;

  constructor({ view, text, keep }) {
    this.#trial = new RuleTrial({ view, point: (line, column) => this.#point(line, column) });
    this.#box = el("textarea", {
      rows: 8, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "Rules to try, as YAML",
      oninput: () => {
        keep(this.#box.value);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.again(), rest);
      },
    });
    this.#box.value = text;
    this.element = el("details", { class: "rule-draft", open: text !== "" },
      el("summary", {}, "Try rules that you type"),
      el("p", { class: "quiet" },
        "They are tried on what was recorded. Nothing is written, sent or switched on, and no file that they name is read."),
      this.#box, this.#trial.element);
    this.again();
  }

  /** Tries the text as it is now. */
  again() {
    clearTimeout(this.#timer);
    if (this.#box.value.trim()) this.#trial.run({ yaml: this.#box.value });
    else this.#trial.stop();
  }

  /** Stops the work that is under way. */
  end() {
    clearTimeout(this.#timer);
    this.#trial.stop();
  }

  /** Puts the caret at a line and a column, both from 1. */
  #point(line, column) {
    // YAML ends a line at these too, each of which stays with its line here.
    const lines = this.#box.value.split(/(?<=[\n\u0085\u2028\u2029])/);
    const before = lines.slice(0, line - 1).join("").length;
    const place = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.#box.focus();
    this.#box.setSelectionRange(place, place);
  }
}
