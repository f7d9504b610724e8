import * as api from "./api.js";
import { copyText, el } from "./dom.js";
import { url } from "./format.js";
import * as preferences from "./preferences.js";

const scripts = [
  ["curl", "curl"], ["httpie", "HTTPie"], ["python", "Python"], ["javascript", "JavaScript"], ["swift", "Swift"], ["raw", "HTTP as it passed"],
  ["har", "HAR"],
];
const bodyLimit = 32 << 20;

/** The menu of texts that can be copied of an exchange; without credentials unless the reader wants them. */
export class CopyMenu {
  #exchange;
  #notice;
  #hides = preferences.get("copyHidesSecrets", true);
  element;

  constructor(exchange, { notice }) {
    this.#exchange = exchange;
    this.#notice = notice;
    const summary = el("summary", { class: "button small" }, "Copy");
    const item = (title, make) => el("button", { type: "button", class: "menu-item", onclick: () => this.#copy(summary, make) }, title);
    const isRepeatable = !["tunnelled"].includes(exchange.outcome) && exchange.protocol !== "WebSocket" && exchange.method;
    this.element = el("details", { class: "copy-menu" }, summary, el("div", { class: "menu-items", role: "group", "aria-label": "Copy as" },
      item("URL", () => url(exchange)),
      scripts.filter(([format]) => isRepeatable || format === "raw").map(([format, title]) => item(title, () => this.#script(format))),
      exchange.response?.body.size > 0 && item("Response body", () => this.#body("response")),
      exchange.request.body.size > 0 && item("Request body", () => this.#body("request")),
      el("label", { class: "menu-choice" }, el("input", { type: "checkbox", checked: this.#hides, onchange: (event) => {
        this.#hides = event.target.checked;
        preferences.set("copyHidesSecrets", this.#hides);
      } }), " Without credentials, but for URL and bodies")));
    this.element.addEventListener("keydown", (event) => this.#key(event, summary));
    this.element.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !this.element.contains(event.relatedTarget)) this.element.open = false;
    });
  }

  /** Copies in a format without the menu, as the keys do. */
  copy(format) {
    return this.#copy(this.element.querySelector("summary"), format === "url" ? () => url(this.#exchange) : () => this.#script(format));
  }

  #script(format) { return api.text(`exchanges/${this.#exchange.id}/copy?format=${format}${this.#hides ? "&redact=1" : ""}`); }

  async #body(side) {
    if (this.#exchange[side].body.size > bodyLimit) throw new Error("The body is too long for the clipboard; save it.");
    const { blob } = await api.blob(`exchanges/${this.#exchange.id}/${side}/body?decoded=1`);
    return blob.text();
  }

  async #copy(summary, make) {
    this.element.open = false;
    try {
      await copyText(make());
      summary.textContent = "Copied";
    } catch (error) {
      summary.textContent = "Copy";
      this.#notice(error.message);
      return;
    }
    setTimeout(() => { summary.textContent = "Copy"; }, 1500);
  }

  #key(event, summary) {
    if (event.key === "Escape" && this.element.open) {
      event.stopPropagation();
      this.element.open = false;
      summary.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.element.open = true;
    const items = [...this.element.querySelectorAll(".menu-item, input")];
    items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  }
}
