import * as address from "./address.js";

/**
 * The state of the page, as its address holds it: place, filter, chosen exchange, part of it.
 *
 * Says `place`, `filter`, `sort`, `chosen`, `tab` and `pointer` to its listeners when that part changed, by the page or by going back and forward.
 */
export class View extends EventTarget {
  #state = address.read();

  constructor() {
    super();
    window.addEventListener("popstate", () => this.#become(address.read()));
  }

  get place() { return this.#state.place; }
  /** The query text of the search box. */
  get text() { return this.#state.text; }
  get since() { return this.#state.since; }
  get before() { return this.#state.before; }
  /** The order of the list: "" newest first, "started" oldest first, or a value that the server ranks by. */
  get sort() { return this.#state.sort; }
  /** The id of the chosen exchange; null without one. */
  get chosen() { return this.#state.chosen; }
  /** The part of the chosen exchange that was asked for; empty for the part that it opens on. */
  get tab() { return this.#state.tab; }
  /** The place in the body of that part that is pointed at, as a JSON pointer; empty without one. */
  get pointer() { return this.#state.pointer; }
  /** What a place beside the list needs beside the filter, by name. */
  get details() { return this.#state.details; }
  /** The categories with a selection. */
  get categories() { return Object.keys(this.#state.selections).filter((name) => this.selected(name).length); }
  /** The filter as the API takes it; empty where nothing is filtered. */
  get filter() { return address.query(this.#state); }

  /** The values chosen in a category. */
  selected(name) { return this.#state.selections[name] ?? []; }

  /** The address of the page after a change. */
  href(change) { return address.href({ ...this.#state, pointer: "", ...change }); }

  /** Changes parts of the state; as a new entry of the history, or over the present one. */
  change(change, { replacing = false } = {}) {
    const next = { ...this.#state, ...("chosen" in change || "tab" in change ? { pointer: "" } : {}), ...change };
    address.write(next, { replacing });
    this.#become(next);
  }

  /** Chooses the values of a category, in place of those chosen before. */
  select(name, values) { this.change({ selections: { ...this.#state.selections, [name]: values } }); }

  /** Clears the whole filter. */
  clear() { this.change({ selections: {}, text: "", since: "", before: "" }); }

  #become(next) {
    const before = this.#state;
    this.#state = next;
    const tell = (name) => this.dispatchEvent(new Event(name));
    if (next.place !== before.place || JSON.stringify(next.details) !== JSON.stringify(before.details)) tell("place");
    if (address.query(next) !== address.query(before)) tell("filter");
    else if (next.sort !== before.sort) tell("sort");
    if (next.chosen !== before.chosen) tell("chosen");
    else if (next.tab !== before.tab) tell("tab");
    if (next.pointer && (next.pointer !== before.pointer || next.chosen !== before.chosen || next.tab !== before.tab)) tell("pointer");
  }
}
