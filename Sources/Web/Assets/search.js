import { title } from "./address.js";
import * as api from "./api.js";
import { byId, el, fill } from "./dom.js";
import { count } from "./format.js";

// Milliseconds after the last key before completions are asked for.
const completeAfter = 120;

/** The search box, the host box, the time window and the chips under them: what writes the filter, beside the rail. */
export class Search {
  #view;
  #counts;
  #notice;
  #completing = 0;

  constructor({ view, counts, notice }) {
    this.#view = view;
    this.#counts = counts;
    this.#notice = notice;
    view.addEventListener("filter", () => this.#drawInputs());
    counts.addEventListener("counted", () => this.#drawCounts());
    counts.addEventListener("counting", () => { byId("totals").textContent = counts.percent ? `counting… ${counts.percent} %` : "counting…"; });
    this.#wire();
    this.#drawInputs();
  }

  focus() { byId("query").focus(); }

  /** Searches for a query text, unless it cannot be read: then says where. */
  async search(text) {
    try {
      await api.get(`exchanges?${new URLSearchParams({ q: text })}&limit=0&facets=false&before=1970-01-01T00:00Z`);
    } catch (error) {
      this.#notice.refuse(error);
      if (error.column) byId("query").setSelectionRange(error.column - 1, error.column);
      return;
    }
    this.#view.change({ text });
  }

  #wire() {
    byId("find").addEventListener("submit", (event) => {
      event.preventDefault();
      const host = byId("host").value.trim().toLowerCase();
      byId("host").value = "";
      const text = byId("query").value.trim();
      if (text !== this.#view.text) this.search(text);
      if (host && !this.#view.selected("host").includes(host)) this.#view.select("host", [...this.#view.selected("host"), host]);
    });
    byId("query").addEventListener("input", () => this.#complete());
    byId("window").addEventListener("change", (event) => {
      const isBetween = event.target.value === "between";
      byId("between").hidden = !isBetween;
      if (isBetween) byId("since").focus();
      else this.#view.change({ since: event.target.value, before: "" });
    });
    for (const id of ["since", "before"]) {
      byId(id).addEventListener("change", () => {
        const [since, before] = ["since", "before"].map((one) => byId(one).value && new Date(byId(one).value).toISOString());
        this.#view.change({ since, before });
      });
    }
  }

  #drawInputs() {
    const { text, since, before } = this.#view;
    byId("query").value = text;
    const select = byId("window");
    const isListed = [...select.options].some((option) => option.value === since);
    const isBetween = Boolean(before) || !isListed;
    select.value = isBetween ? "between" : since;
    byId("between").hidden = !isBetween;
    if (isBetween) {
      byId("since").value = localText(since);
      byId("before").value = localText(before);
    }
  }

  #drawCounts() {
    const { total, matched, truncated, searchedInPart, facets } = this.#counts;
    const shown = matched === total ? count(total) : `${count(matched)} of ${count(total)}`;
    byId("totals").textContent = `${shown} ${total === 1 ? "exchange" : "exchanges"}${truncated ? ", incomplete" : ""}${searchedInPart ? `, ${count(searchedInPart)} searched in part` : ""}`;
    fill(byId("hosts"), (facets.host ?? []).slice(0, 100).map(({ value }) => el("option", { value })));
    this.#drawChips();
  }

  /** The selections as chips: those that are no value of a category by themselves, such as 5xx, can be taken away only here. */
  #drawChips() {
    const view = this.#view;
    const chips = view.categories.flatMap((name) => view.selected(name).map((value) => chip(title(name), value, () =>
      view.select(name, view.selected(name).filter((one) => one !== value)))));
    if (view.text) chips.unshift(chip("Search", view.text, () => view.change({ text: "" })));
    if (view.since) chips.push(chip("Since", view.since, () => view.change({ since: "" })));
    if (view.before) chips.push(chip("Before", view.before, () => view.change({ before: "" })));
    if (view.text) chips.push(el("button", { type: "button", class: "clear", onclick: () => this.#save() }, "Save search"));
    if (chips.length > 1) chips.push(el("button", { type: "button", class: "clear", onclick: () => view.clear() }, "Clear all"));
    byId("chips").hidden = chips.length === 0;
    fill(byId("chips"), chips);
  }

  /** Saves the search under a name that is asked for; `@name` in the search box stands for it then. */
  async #save() {
    const name = prompt("Save this search under which name? One word; @name stands for it then.");
    if (!name) return;
    try {
      const saved = await api.post("saved", { name, query: this.#view.text });
      this.#notice.say(`Saved: @${saved.name} in the search box stands for ${saved.query}`);
    } catch (error) {
      this.#notice.refuse(error);
    }
  }

  /** Offers what the typed text may become. */
  #complete() {
    clearTimeout(this.#completing);
    this.#completing = setTimeout(async () => {
      try {
        const { completions } = await api.get(`complete?${new URLSearchParams({ q: byId("query").value })}`);
        fill(byId("queries"), completions.map((value) => el("option", { value })));
      } catch {
        fill(byId("queries"));
      }
    }, completeAfter);
  }
}

function chip(name, value, remove) {
  return el("span", { class: "chip" }, el("span", { class: "quiet" }, name), " ", value,
    el("button", { type: "button", "aria-label": `Remove ${name} ${value}`, onclick: remove }, "✕"));
}

/** A time of the address as an input for local times takes it. */
function localText(text) {
  const date = new Date(text);
  if (!text || Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
