import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { bytes, codeText, duration, time, tone } from "./format.js";

/** The exchange that this one is a replay of, and its own replays, each as a link. */
export class ReplaysTab {
  #on;
  #abort = new AbortController();
  element = el("div", {}, el("p", { class: "quiet", role: "status" }, "Looking for replays…"));

  constructor(exchange, { on }) {
    this.#on = on;
    this.#load(exchange);
  }

  /** Stops the work that is under way. */
  end() { this.#abort.abort(); }

  async #load(exchange) {
    try {
      const { originals, replays, truncated } = await api.get(`exchanges/${exchange.id}/replays`, { signal: this.#abort.signal });
      fill(this.element,
        exchange.replayOf && el("section", {}, el("h3", {}, "A replay of"),
          originals.length
            ? this.#table(originals, exchange.id)
            : el("p", { class: "quiet" }, `Exchange ${exchange.replayOf} is no longer in the store.`)),
        el("section", {}, el("h3", {}, "Replays of this exchange"),
          replays.length ? this.#table(replays, exchange.id) : el("p", { class: "quiet" }, "This exchange has not been sent again."),
          truncated && el("p", { class: "quiet" }, "Only the first replays are listed.")));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.element, el("p", { class: "problem" }, error.message));
    }
  }

  #table(rows, shown) {
    return el("table", { class: "fields replays" },
      el("thead", {}, el("tr", {}, ["Exchange", "When", "Code", "Took", "Size", ""].map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, rows.map((row) => el("tr", { class: tone(row) },
        el("td", {}, el("a", { href: `/exchanges/${row.id}`, onclick: (event) => {
          event.preventDefault();
          this.#on.choose(row.id);
        } }, `${row.id}`)),
        el("td", {}, time(row.started)), el("td", {}, el("span", { class: "code" }, codeText(row))),
        el("td", {}, duration(row.durationMs)), el("td", {}, bytes(row.responseBytes)),
        el("td", {}, el("a", { href: `/compare?left=${Math.min(row.id, shown)}&right=${Math.max(row.id, shown)}` }, "Compare"))))));
  }
}
