import * as api from "./api.js";
import { copyButton, el, fill } from "./dom.js";
import { link } from "./links.js";

/** The manual: the list of its articles, and the one that the address names. */
export class Manual {
  title = "Manual";
  isQuiet = true;
  #view;
  #body = null;
  #abort = new AbortController();

  constructor({ view }) { this.#view = view; }

  open() {
    this.#body = el("article", { class: "page manual" });
    this.#load();
    return this.#body;
  }

  close() {
    this.#abort.abort();
    this.#body = null;
  }

  update() { this.#load(); }

  async #load() {
    this.#abort.abort();
    const { signal } = this.#abort = new AbortController();
    const { article = "" } = this.#view.details;
    try {
      const answer = await api.get(`places/manual${article && `?article=${encodeURIComponent(article)}`}`, { signal });
      if (signal.aborted) return;
      document.title = `${article ? answer.title : this.title} · inspect`;
      fill(this.#body, article ? [this.#link("", "All articles"), answer.blocks.map((block) => this.#block(block))] : this.#list(answer.articles));
      this.#body.scrollIntoView({ block: "start" });
    } catch (error) {
      if (error.name === "AbortError" || signal.aborted) return;
      fill(this.#body, this.#link("", "All articles"), el("p", { class: "problem" }, error.message));
    }
  }

  #link(article, text) { return link(this.#view, { place: "manual", details: article ? { article } : {}, chosen: null }, {}, text); }

  #list(articles) {
    return [
      el("h2", { tabindex: "-1" }, this.title),
      el("dl", { class: "articles" }, articles.map(({ name, title, about }) => [el("dt", {}, this.#link(name, title)), el("dd", {}, about)])),
    ];
  }

  #block({ kind, level, text, items, header, rows, lines }) {
    switch (kind) {
      case "heading": return el(`h${level + 1}`, level === 1 ? { tabindex: "-1" } : {}, this.#text(text));
      case "list": return el("ul", {}, items.map((item) => el("li", {}, this.#text(item))));
      case "code": return el("div", { class: "command" }, el("pre", {}, lines.join("\n")), copyButton(lines.join("\n")));
      case "table": return el("div", { class: "scrolled", tabindex: "0", role: "group", "aria-label": "Table" }, el("table", {},
        el("thead", {}, el("tr", {}, header.map((cell) => el("th", { scope: "col" }, this.#text(cell))))),
        el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, this.#text(cell))))))));
      default: return el("p", {}, this.#text(text));
    }
  }

  #text(pieces) {
    return pieces.map(({ text, code, strong, article }) => {
      if (article) return this.#link(article, text);
      return code ? el("code", {}, text) : strong ? el("b", {}, text) : text;
    });
  }
}
