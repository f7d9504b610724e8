import { byId, el, fill } from "./dom.js";

const layouts = [["table", "Table"], ["compact", "Compact table"], ["cards", "Cards"]];

/** The controls above the list: hold it still, choose its layout and its columns. */
export class ListTools {
  #listing;
  #columns;
  #layout;
  #pause = el("button", { type: "button", class: "button small", id: "pause-list", onclick: () => this.#toggle() });
  #menu = el("details", { class: "view-menu", id: "view-menu" });

  constructor({ listing, columns, layout }) {
    [this.#listing, this.#columns, this.#layout] = [listing, columns, layout];
    byId("list-tools").append(this.#pause, this.#menu);
    listing.addEventListener("paused", () => this.#draw());
    columns.addEventListener("changed", () => this.#check());
    layout.addEventListener("changed", () => this.#check());
    document.addEventListener("pointerdown", (event) => !this.#menu.contains(event.target) && (this.#menu.open = false));
    this.#menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#menu.open) return;
      event.stopPropagation();
      this.#menu.open = false;
      this.#menu.firstChild.focus();
    });
    this.#draw();
    this.#drawMenu();
  }

  #toggle() { this.#listing.isPaused = !this.#listing.isPaused; }

  #draw() {
    const { isPaused } = this.#listing;
    this.#pause.setAttribute("aria-pressed", String(isPaused));
    this.#pause.title = isPaused ? "Show new exchanges again" : "Hold the list still; recording continues";
    this.#pause.textContent = isPaused ? "Follow" : "Pause list";
  }

  #drawMenu() {
    const layout = this.#layout;
    const across = el("select", { id: "across", onchange: () => { layout.across = Number(across.value); } },
      [1, 2, 3].map((number) => el("option", { value: number }, String(number))));
    fill(this.#menu,
      el("summary", { class: "button small" }, "View"),
      el("div", { class: "view-panel" },
        el("fieldset", {}, el("legend", {}, "Layout"),
          layouts.map(([kind, title]) => el("label", {},
            el("input", { type: "radio", name: "layout", value: kind, onchange: () => { layout.kind = kind; } }), title)),
          el("label", { class: "across" }, "Cards in a row", across)),
        el("fieldset", {}, el("legend", {}, "Columns"),
          this.#columns.all.map(({ name, title }) => el("label", {},
            el("input", { type: "checkbox", value: name, disabled: name === "path", onchange: () => this.#columns.toggle(name) }),
            name === "id" ? "Number" : title))),
        el("button", { type: "button", class: "button small", onclick: () => this.#columns.reset() }, "Usual columns")));
    this.#check();
  }

  /** Shows what is chosen. */
  #check() {
    for (const input of this.#menu.querySelectorAll("input[type=radio]")) input.checked = input.value === this.#layout.kind;
    for (const input of this.#menu.querySelectorAll("input[type=checkbox]")) input.checked = this.#columns.has(input.value);
    this.#menu.querySelector("#across").value = String(this.#layout.across);
    this.#menu.querySelector(".across").hidden = this.#layout.kind !== "cards";
  }
}
