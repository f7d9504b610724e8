import { el, fill } from "./dom.js";

let made = 0;

/**
 * A text box with a list of suggestions under it: an editable combobox with a listbox (ARIA Authoring Practices).
 *
 * `on.suggest` gets the text up to the caret and returns {options, note}; an option is {label, about, group, forget}. `on.take` gets the option that
 * was taken.
 */
export class Combobox {
  #input;
  #popup;
  #list;
  #on;
  #options = [];
  #active = -1;
  #timer = 0;
  #asked = 0;
  #rest;

  constructor(input, { label, on, rest = 120, above = [] }) {
    this.#input = input;
    this.#on = on;
    this.#rest = rest;
    const id = `listbox-${made += 1}`;
    this.#list = el("div", { id, role: "listbox", "aria-label": label });
    this.#popup = el("div", { class: "suggest", hidden: true }, above, this.#list);
    input.after(this.#popup);
    const attributes = {
      role: "combobox", "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": id,
    };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    input.addEventListener("input", () => this.open());
    input.addEventListener("click", () => this.open({ rest: 0 }));
    input.addEventListener("blur", () => this.close());
    input.addEventListener("keydown", (event) => this.#key(event));
    // A press in the list leaves the focus in the box.
    this.#popup.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", ({ target }) => {
      const option = this.#options[Number(target.closest("[role=option]")?.dataset.index ?? -1)];
      if (!option) return;
      if (target.closest(".forget")) this.#forget(option);
      else this.#take(option);
    });
  }

  get isOpen() { return !this.#popup.hidden; }

  /** Asks for suggestions soon, and shows them. */
  open({ rest = this.#rest } = {}) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), rest);
  }

  close() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#show([]);
    this.#popup.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
  }

  async #ask() {
    const asked = this.#asked += 1;
    const text = this.#input.value.slice(0, this.#input.selectionEnd ?? undefined);
    const { options, isWorthShowing = options.length > 0 } = await this.#on.suggest(text);
    if (asked !== this.#asked || document.activeElement !== this.#input) return;
    this.#show(options);
    this.#popup.hidden = !isWorthShowing;
    this.#input.setAttribute("aria-expanded", String(options.length > 0));
  }

  #show(options) {
    this.#options = options;
    this.#active = -1;
    this.#input.removeAttribute("aria-activedescendant");
    let group = null;
    fill(this.#list, options.flatMap((option, index) => {
      const heading = option.group && option.group !== group && el("p", { class: "group", role: "presentation" }, option.group);
      group = option.group ?? null;
      const attributes = {
        id: `${this.#list.id}-${index}`, role: "option", "aria-selected": "false", "data-index": index, "data-text": option.text,
      };
      return [heading, el("div", attributes,
        el("span", { class: "label" }, option.label), option.about && el("span", { class: "about" }, option.about),
        option.forget && el("span", { class: "forget", title: "Forget it (Shift+Delete)", "aria-hidden": "true" }, "✕"))];
    }));
    this.#list.hidden = options.length === 0;
  }

  #key(event) {
    const { key } = event;
    const last = this.#options.length - 1;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (!this.isOpen || last < 0) this.open({ rest: 0 });
      else if (key === "ArrowDown") this.#mark(this.#active >= last ? -1 : this.#active + 1);
      else this.#mark(this.#active < 0 ? last : this.#active - 1);
    } else if (key === "Enter" && this.#active >= 0) {
      event.preventDefault();
      this.#take(this.#options[this.#active]);
    } else if (key === "Delete" && event.shiftKey && this.#options[this.#active]?.forget) {
      event.preventDefault();
      this.#forget(this.#options[this.#active]);
    } else if (key === "Escape" && this.isOpen) {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }

  #mark(index) {
    this.#active = index;
    [...this.#list.querySelectorAll("[role=option]")].forEach((element, at) => {
      element.setAttribute("aria-selected", String(at === index));
      if (at === index) element.scrollIntoView({ block: "nearest" });
    });
    if (index < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `${this.#list.id}-${index}`);
  }

  #take(option) {
    this.close();
    this.#on.take(option);
  }

  async #forget(option) {
    await option.forget();
    this.open({ rest: 0 });
  }
}
