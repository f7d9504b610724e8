import { el, fill } from "./dom.js";

// Pixels between a popup and the edge of the window.
const margin = 8;
let made = 0;

/**
 * A button that opens a menu (ARIA Authoring Practices, menu button).
 *
 * With `isPopup` it has no button, and is opened at a point of the window.
 *
 * `items` returns what is in it each time: {label, run}, {label, href}, {label, run, isChecked} for one of a choice, {heading}, or null for a line.
 */
export class Menu {
  #button;
  #menu;
  #items;
  #typed = "";
  #at = 0;
  /** What had the focus before a popup was opened. */
  #before = null;

  constructor(label, items, { className = "", text = label, isPopup = false } = {}) {
    const id = `menu-${made += 1}`;
    this.#items = items;
    this.#button = el("button", {
      type: "button", class: `button ${className}`, "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": id,
      "aria-label": text === label ? null : label,
      onclick: () => (this.isOpen ? this.close() : this.open()),
      onkeydown: (event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        this.open(event.key === "ArrowUp" ? -1 : 0);
      },
    }, text);
    this.#menu = el("div", { id, role: "menu", class: "menu", "aria-label": label, hidden: true, onkeydown: (event) => this.#key(event) });
    this.element = el("div", { class: "menu-place" }, !isPopup && this.#button, this.#menu);
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      if (!this.element.contains(relatedTarget)) this.#hide();
    });
  }

  get isOpen() { return !this.#menu.hidden; }

  open(index = 0) {
    fill(this.#menu, this.#items().map((item) => this.#draw(item)));
    this.#menu.hidden = false;
    this.#button.setAttribute("aria-expanded", "true");
    this.#entries.at(index)?.focus();
  }

  /** Opens a popup with its corner at a point of the window, or as near as it fits; the focus goes back where it was. */
  openAt(x, y, index = 0) {
    if (!this.isOpen) this.#before = document.activeElement;
    this.open(index);
    const { offsetWidth, offsetHeight } = this.#menu;
    const fitting = (place, size, room) => `${Math.max(margin, Math.min(place, room - size - margin))}px`;
    Object.assign(this.#menu.style, {
      position: "fixed", right: "auto", left: fitting(x, offsetWidth, window.innerWidth), top: fitting(y, offsetHeight, window.innerHeight),
    });
  }

  close() {
    this.#hide();
    (this.#before ?? this.#button).focus({ preventScroll: true });
    this.#before = null;
  }

  get #entries() { return [...this.#menu.querySelectorAll("[role^=menuitem]")]; }

  #hide() {
    this.#menu.hidden = true;
    this.#button.setAttribute("aria-expanded", "false");
  }

  #draw(item) {
    if (item === null) return el("hr", { role: "separator" });
    if (item.heading) return el("p", { class: "group", role: "presentation" }, item.heading);
    const isChoice = item.isChecked !== undefined;
    const attributes = {
      role: isChoice ? "menuitemradio" : "menuitem", "aria-checked": isChoice ? String(item.isChecked) : null, tabindex: "-1", class: "item",
    };
    const inside = [el("span", {}, item.label), item.hint && el("kbd", { "aria-hidden": "true" }, item.hint)];
    if (item.href) return el("a", { ...attributes, href: item.href, onclick: (event) => this.#run(item, event) }, inside);
    return el("button", { ...attributes, type: "button", onclick: (event) => this.#run(item, event) }, inside);
  }

  #run(item, event) {
    if (item.run) event.preventDefault();
    this.close();
    item.run?.();
  }

  #key(event) {
    const entries = this.#entries;
    const at = entries.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      entries.at(to % entries.length).focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    } else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.stopPropagation();
      this.#typed = performance.now() - this.#at < 600 ? this.#typed + event.key.toLowerCase() : event.key.toLowerCase();
      this.#at = performance.now();
      entries.find((entry) => entry.textContent.toLowerCase().startsWith(this.#typed))?.focus();
    }
  }
}
