import * as api from "./api.js";
import { ask } from "./dialog.js";
import { el } from "./dom.js";
import * as preferences from "./preferences.js";
import { wholeText } from "./reading.js";

const recentLimit = 12;

/** The earlier searches: the recent ones, which this browser remembers, and those saved under names, which the store has. */
export class Searches {
  #notice;

  constructor({ notice }) { this.#notice = notice; }

  /** Remembers a text that was searched for. */
  remember(text) {
    if (!text) return;
    preferences.set("search.recent", [text, ...this.#recent.filter((one) => one !== text)].slice(0, recentLimit));
  }

  /** The suggestions for an empty box. */
  async options() {
    const saved = await this.#saved();
    return [
      ...saved.map(({ name, query }) => ({
        text: `@${name}`, label: `@${name}`, about: query, group: "Saved searches", isWhole: true, forget: () => this.#forget(name),
      })),
      ...this.#recent.map((text) => ({
        text, label: text, group: "Recent searches", isWhole: true,
        forget: () => preferences.set("search.recent", this.#recent.filter((one) => one !== text)),
      })),
    ];
  }

  /** Asks for a name and saves a view's query under it; `@name` in the box then stands for the query. */
  async save(view) {
    const text = await wholeText(view);
    const name = el("input", { type: "text", id: "search-name", maxlength: 64, autocomplete: "off", spellcheck: "false", required: true });
    await ask({
      title: "Save this search",
      body: [
        el("p", {}, el("code", {}, text)),
        el("p", {}, el("label", { for: "search-name" }, "Name, one word; @name in the search box then stands for the search"), name),
      ],
      act: "Save",
      does: async () => {
        const saved = await api.post("saved", { name: name.value.trim().replace(/^@/, ""), query: text });
        this.#notice.say(`Saved: @${saved.name} in the search box stands for ${saved.query}`);
      },
    });
  }

  get #recent() { return preferences.get("search.recent", []); }

  async #saved() {
    try {
      return (await api.get("saved")).saved;
    } catch {
      return [];
    }
  }

  async #forget(name) {
    try {
      await api.remove(`saved/${encodeURIComponent(name)}`);
    } catch (error) {
      this.#notice.refuse(error);
    }
  }
}
