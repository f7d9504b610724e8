import * as api from "./api.js";
import { byId } from "./dom.js";
import { count } from "./format.js";
import { List } from "./list.js";
import { nothing, welcome } from "./welcome.js";

const pageLength = 200;

/** The list of exchanges under the filter: loaded by pages, followed live. Says `live` and `lost` as its connection stands, `changed` with ids. */
export class Listing extends EventTarget {
  #view;
  #counts;
  #notice;
  #instance;
  #list;
  #endEvents = () => {};
  #loading = new AbortController();
  #fresh = 0;
  #isStale = false;
  #isLoadingOlder = false;
  /** Whether the choice under way came from a click or a key in the list itself, which has the row in sight. */
  #isChoosing = false;

  constructor({ view, counts, notice, instance, choose }) {
    super();
    this.#view = view;
    this.#counts = counts;
    this.#notice = notice;
    this.#instance = instance;
    const fromHere = (id, options) => {
      this.#isChoosing = true;
      choose(id, options);
      this.#isChoosing = false;
    };
    this.#list = new List(byId("rows"), { choose: fromHere, older: () => this.#older(), top: () => this.#forgetFresh() });
    counts.addEventListener("counted", () => this.#drawEmpty());
    view.addEventListener("filter", () => this.start());
    view.addEventListener("chosen", () => {
      this.#list.choose(view.chosen, { reveal: !this.#isChoosing });
      if (view.chosen === null) this.#list.focus();
    });
    byId("fresh").addEventListener("click", () => {
      if (this.#isStale) this.#load();
      this.#list.toTop();
      this.#forgetFresh();
    });
  }

  focus() { this.#list.focus(); }

  /** Follows what is recorded under the present filter and asks for the first page. */
  start() {
    this.#listen();
    return this.#load();
  }

  /** Live events for the present filter; the list is asked for again each time they begin anew. */
  #listen() {
    this.#endEvents();
    let isFirst = true;
    const again = () => setTimeout(() => this.#listen(), 2000);
    this.#endEvents = api.listen(this.#view.filter, {
      open: () => {
        this.dispatchEvent(new Event("live"));
        if (!isFirst) this.#load();
        isFirst = false;
      },
      changes: (changes) => this.#merge(changes),
      resync: () => {
        if (this.#list.isAtTop) {
          this.#load();
          return;
        }
        this.#isStale = true;
        this.#showFresh(0);
        this.#counts.again();
      },
      lost: async (isClosed) => {
        this.dispatchEvent(new Event("lost"));
        if (!isClosed) return;
        try {
          await api.get("instance");
          again();
        } catch (error) {
          this.#notice.refuse(error);
          if (!(error instanceof api.Refusal)) again();
        }
      },
    });
  }

  #merge({ exchanges, others }) {
    if (this.#isStale) return;
    const wasEmpty = this.#list.isEmpty;
    const wasAtTop = this.#list.isAtTop;
    const added = this.#list.merge(exchanges, others);
    if (added && !wasAtTop) this.#showFresh(added);
    if (wasEmpty !== this.#list.isEmpty) this.#drawEmpty();
    this.dispatchEvent(new CustomEvent("changed", { detail: [...exchanges.map(({ id }) => id), ...others] }));
    this.#counts.again();
  }

  async #load() {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const { filter } = this.#view;
    try {
      // The rows do not wait for the counts, which have to look at everything.
      const counting = this.#counts.count({ signal });
      counting.catch(() => {});
      const answer = await api.get(`search?${filter}&limit=${pageLength}`, { signal });
      this.#isStale = false;
      this.#forgetFresh();
      this.#list.set(answer.exchanges, answer.next);
      this.#list.choose(this.#view.chosen, { reveal: true });
      await counting;
      this.#notice.say(null);
    } catch (error) {
      if (error.name !== "AbortError") this.#notice.refuse(error);
    }
  }

  async #older() {
    if (this.#isLoadingOlder || this.#list.next === null) return;
    this.#isLoadingOlder = true;
    const { filter } = this.#view;
    try {
      const answer = await api.get(`search?${filter}&limit=${pageLength}&after=${this.#list.next}`);
      if (filter === this.#view.filter) this.#list.append(answer.exchanges, answer.next);
    } catch (error) {
      this.#notice.refuse(error);
    }
    this.#isLoadingOlder = false;
  }

  #drawEmpty() {
    document.querySelector(".welcome")?.remove();
    if (!this.#list.isEmpty) return;
    const { total } = this.#counts;
    byId("rows").append(total === 0 ? welcome(this.#instance) : nothing(total, () => this.#view.clear()));
  }

  #showFresh(number) {
    this.#fresh += number;
    byId("fresh").hidden = false;
    byId("fresh").textContent = this.#isStale ? "New exchanges ↑" : `${count(this.#fresh)} new ↑`;
  }

  #forgetFresh() {
    if (this.#isStale) return;
    this.#fresh = 0;
    byId("fresh").hidden = true;
  }
}
