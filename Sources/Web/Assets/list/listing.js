import { Aging } from "./aging.js";
import * as api from "./api.js";
import { Buckets } from "./buckets.js";
import { byId } from "./dom.js";
import { Fresh } from "./fresh.js";
import { Held } from "./held.js";
import { List } from "./list.js";
import { Live } from "./live.js";
import { merge } from "./merge.js";
import { NumberedPages, RankedPages } from "./pages.js";
import { Resync } from "./resync.js";
import { Supply } from "./supply.js";
import { EmptyList } from "./welcome.js";

// Rows marked at once by a range.
const rangeLimit = 1_000;
// Milliseconds that a new list waits for the changes to be told.
const patience = 150;

/**
 * The list of exchanges under the filter: what is in sight of it is held, the rest is asked for when the view goes there; followed live.
 *
 * At the end where new exchanges come in, they come in; elsewhere, and while it is paused, they wait and are counted. Says `live`, `lost` and, where
 * it is not let in, `denied` as its connection stands, `changed` with ids, or null where any may have, `marked` and `paused`.
 */
export class Listing extends EventTarget {
  #view;
  #counts;
  #overview;
  #notice;
  #held = new Held();
  #list;
  #pages;
  #live;
  /** The load of a list that is under way. */
  #loading = null;
  #resync;
  #aging;
  #supply;
  #fresh;
  #empty;
  /** Whether the chosen exchange of a new list has yet to be brought into sight, because its place was not known. */
  #owesReveal = false;
  #isPaused = false;
  #marked = new Set();
  #lastMark = null;
  /** Whether the choice under way came from a click or a key in the list itself, which has the row in sight. */
  #isChoosing = false;

  constructor({ view, counts, overview, notice, instance, columns, layout, choose, menu }) {
    super();
    [this.#view, this.#counts, this.#overview, this.#notice] = [view, counts, overview, notice];
    const fromHere = (id, options) => {
      this.#isChoosing = true;
      choose(id, options);
      this.#isChoosing = false;
    };
    this.#list = new List(byId("rows"), { held: this.#held, columns, layout, on: {
      choose: fromHere,
      mark: (id, options) => this.mark(id, options),
      need: (first, end) => {
        // A reader who has gone somewhere is left there.
        if (this.#loading) return;
        if (!this.#list.isAtTop) this.#owesReveal = false;
        this.#supply.need(first, end);
      },
      edge: () => this.#reachedEdge(),
      sort: (sort) => view.change({ sort }),
      menu,
    } });
    this.#live = new Live({
      isReady: () => this.#loading === null,
      open: () => {
        this.dispatchEvent(new Event("live"));
        this.#resync.catchUp();
      },
      changes: (changes) => this.#merge(changes),
      resync: () => this.#resync.again(),
      lost: () => this.dispatchEvent(new Event("lost")),
      refused: (error) => {
        notice.refuse(error);
        // A filter that cannot be read is the reader's mistake; the server did answer.
        this.dispatchEvent(new Event(error.status === 400 ? "live" : "denied"));
      },
    });
    this.#supply = new Supply(this.#held, {
      refresh: () => this.#list.refresh(),
      draw: () => this.#list.draw(),
      shift: (rows) => this.#list.shift(rows),
      refused: (error) => notice.refuse(error),
    });
    this.#resync = new Resync({
      isLoading: () => this.#loading !== null, isOpen: () => this.#live.isOpen, ask: () => this.#askAgain(),
    });
    this.#aging = new Aging(view, {
      isReady: () => this.#loading === null,
      passed: (moment) => this.#dropBefore(moment),
      unknown: () => this.#resync.again(),
    });
    this.#fresh = new Fresh({ letIn: () => this.#catchUp() });
    this.#empty = new EmptyList({ instance, clear: () => view.clear() });
    counts.addEventListener("counted", () => this.#counted());
    overview.addEventListener("told", () => this.#measured());
    view.addEventListener("filter", () => this.start());
    view.addEventListener("sort", () => this.#load());
    view.addEventListener("chosen", () => {
      this.#list.choose(view.chosen);
      if (!this.#isChoosing) this.#reveal(view.chosen);
      if (view.chosen === null) this.#list.focus();
    });
  }

  focus() { this.#list.focus(); }

  /** The numbers of the marked rows, the smallest first. */
  get marked() { return [...this.#marked].sort((a, b) => a - b); }

  /** Whether the list holds still though new exchanges are recorded. */
  get isPaused() { return this.#isPaused; }
  set isPaused(isPaused) {
    this.#isPaused = isPaused;
    this.dispatchEvent(new Event("paused"));
    if (!isPaused && this.#isAtEdge) this.#catchUp();
  }

  /** Marks a row or removes its mark; a range goes from the row that was marked last, or chosen, to this row. */
  mark(id, { range = false } = {}) {
    const from = this.#lastMark ?? this.#view.chosen;
    const [here, there] = [this.#held.place(id), from === null ? -1 : this.#held.place(from)];
    if (range && there >= 0 && Math.abs(here - there) < rangeLimit) {
      for (let at = Math.min(here, there); at <= Math.max(here, there); at++) this.#marked.add(this.#held.at(at).id);
    } else if (this.#marked.has(id)) this.#marked.delete(id);
    else this.#marked.add(id);
    this.#lastMark = id;
    this.#tellMarked();
  }

  /** Removes every mark. */
  unmark() {
    this.#marked.clear();
    this.#lastMark = null;
    this.#tellMarked();
  }

  /** Follows the exchanges under the present filter and asks for the first page. */
  async start() {
    this.#loading?.abort();
    this.#supply.stop();
    const waiting = this.#loading = new AbortController();
    this.#live.follow(this.#view.filter);
    this.#aging.follow();
    await this.#live.opened(patience);
    if (this.#loading === waiting) await this.#load();
  }

  #tellMarked() {
    this.#list.mark(this.#marked);
    this.dispatchEvent(new Event("marked"));
  }

  /** Whether the view is where new exchanges come in. */
  get #isAtEdge() { return this.#pages?.growsAtEnd ? this.#list.isAtBottom : this.#list.isAtTop; }
  get #isFollowing() {
    if (this.#isPaused || this.#pages?.order === null || !this.#isAtEdge) return false;
    return this.#pages.growsAtEnd ? this.#held.isLast : this.#held.isFirst;
  }

  // Loading

  /** Asks for the list anew, and shows its beginning, or where new exchanges come in. */
  async #load({ counts = true, atEdge = false } = {}) {
    this.#loading?.abort();
    this.#supply.stop();
    const loading = new AbortController();
    this.#loading = loading;
    this.#resync.isBehind = !this.#live.isOpen;
    const length = counts ? 0 : this.#held.length + this.#fresh.size;
    const { signal } = loading;
    const { filter, sort } = this.#view;
    // A load that takes the place of this one owes it too.
    if (counts) this.#owesReveal = true;
    const isRanked = sort !== "" && sort !== "started";
    const pages = isRanked ? new RankedPages(filter, sort) : new NumberedPages(filter, { isRising: sort === "started" });
    try {
      // The rows do not wait for the counts, which have to look at everything.
      const counting = counts ? this.#counts.count({ signal }) : null;
      counting?.catch(() => {});
      // Of a ranked list only the order of recording says what was the newest when it was made.
      const isAtEnd = atEdge && pages.growsAtEnd;
      const [answer, newest] = await Promise.all([
        isAtEnd ? pages.last({ signal }) : pages.first({ signal }),
        isRanked || pages.growsAtEnd && !isAtEnd ? this.#newest(filter, signal) : null,
      ]);
      if (this.#loading !== loading) return;
      this.#pages = pages;
      this.#supply.pages = pages;
      pages.newest = newest ?? answer.rows.at(isAtEnd ? -1 : 0)?.id ?? 0;
      this.#held.order = pages.order;
      this.#held.length = length;
      // Where the last rows stand is put right once it is counted.
      this.#held.replace(isAtEnd ? Math.max(0, length - answer.rows.length) : 0, answer.rows, answer);
      this.#fresh.clear();
      this.#fresh.show(pages);
      this.#list.sort = sort;
      if (isAtEnd) this.#list.toBottom();
      else this.#list.toTop();
      this.#list.choose(this.#view.chosen);
      this.#loading = null;
      if (this.#owesReveal) this.#reveal(this.#view.chosen);
      this.#drawEmpty();
      this.#live.flush();
      this.#resync.catchUp();
      const overview = this.#overview.ask();
      await counting;
      this.#notice.recover();
      await overview;
      // Farther down it can be looked for only now; a reader who has gone somewhere is left there.
      if (!this.#owesReveal || this.#loading) return;
      if (this.#list.isAtTop) this.#reveal(this.#view.chosen);
      else this.#owesReveal = false;
    } catch (error) {
      if (error.name === "AbortError") return;
      if (this.#loading === loading) this.#loading = null;
      this.#notice.refuse(error);
    }
  }

  async #newest(filter, signal) {
    const { exchanges } = await api.get(`search?${[filter, "limit=1"].filter(Boolean).join("&")}`, { signal });
    return exchanges[0]?.id ?? 0;
  }

  /** Brings an exchange into sight, where the list has it. */
  async #reveal(id) {
    if (!this.#pages || this.#loading) return;
    const at = id === null ? -1 : this.#held.place(id);
    if (at >= 0) {
      this.#owesReveal = false;
      this.#list.reveal(at, { middle: true });
    } else if (id !== null && this.#pages.buckets && id <= this.#pages.newest) {
      this.#supply.ask({ first: 0, end: 0 }, async (signal) => {
        const answer = await this.#pages.with(id, { signal });
        return () => {
          this.#owesReveal = false;
          if (!answer.rows.some((row) => row.id === id)) return;
          this.#held.replace(answer.start, answer.rows, answer);
          this.#list.reveal(this.#held.place(id), { middle: true });
        };
      });
    } else if (id === null || this.#pages.buckets || this.#pages.order === null) this.#owesReveal = false;
  }

  // Following

  #merge(batches) {
    const pages = this.#pages;
    if (!pages) return;
    const isFollowing = this.#isFollowing;
    const wasAtTop = this.#list.isAtTop;
    const inSight = this.#list.firstPlace;
    const { above, ids } = merge(batches, { held: this.#held, pages, fresh: this.#fresh, inSight, isFollowing });
    if (isFollowing && pages.growsAtEnd) this.#list.toBottom();
    else if (above && !(isFollowing && wasAtTop)) this.#list.shift(above);
    else this.#list.refresh();
    this.#fresh.show(pages);
    this.#drawEmpty();
    this.#counts.again();
    this.#overview.again();
    this.dispatchEvent(new CustomEvent("changed", { detail: ids }));
  }

  /** Removes exchanges that began before a moment. */
  #dropBefore(moment) {
    const others = this.#held.rows.filter((row) => Date.parse(row.started) < moment).map(({ id }) => id);
    this.#merge([{ exchanges: [], others }]);
  }

  /** Asks again for the rows in sight. */
  async #askAgain() {
    this.dispatchEvent(new CustomEvent("changed", { detail: null }));
    const anchor = this.#list.anchor;
    const pages = this.#pages;
    const isPlain = !pages || pages.order === null || !anchor || this.#isAtEdge && !this.#isPaused;
    this.#counts.again();
    if (isPlain) {
      await this.#load({ counts: false, atEdge: Boolean(pages) });
      return;
    }
    try {
      const query = [this.#view.filter, "limit=1000", `newer=${pages.newest}`].filter(Boolean).join("&");
      const { exchanges, next } = await api.get(`search?${query}`);
      if (this.#pages !== pages) return;
      this.#fresh.replace(exchanges.map(({ id }) => id), next !== null);
      this.#fresh.show(pages);
      await this.#overview.ask();
      if (this.#pages !== pages) return;
      if (this.#owesReveal && this.#list.isAtTop) {
        await this.#reveal(this.#view.chosen);
        return;
      }
      this.#supply.ask({ first: 0, end: 0 }, async (signal) => {
        const answer = await pages.with(anchor.id, { signal });
        return () => {
          this.#held.replace(answer.start, answer.rows, answer);
          // The exchange itself may be gone; then the row in its place is shown.
          const at = this.#held.rows.findIndex((row) => row.id === anchor.id || pages.order(row, anchor) > 0);
          if (at >= 0) this.#list.put(this.#held.start + at, anchor.gap);
          this.#list.draw();
        };
      });
    } catch (error) {
      this.#notice.refuse(error);
    }
  }

  /** Adds the waiting exchanges, and goes to where they appear. */
  async #catchUp() {
    if (!this.#fresh.isEmpty) await this.#load({ counts: false, atEdge: true });
  }

  #reachedEdge() {
    if (!this.#isPaused && this.#isAtEdge && !this.#loading) this.#catchUp();
  }

  // What is known of the whole

  #counted() {
    if (this.#loading) return;
    if (!this.#pages?.buckets) this.#held.measure(Math.max(this.#held.end, this.#counts.matched - this.#fresh.size));
    this.#drawEmpty();
    this.#list.refresh();
  }

  #measured() {
    const { answer } = this.#overview;
    const pages = this.#pages;
    if (!pages || this.#loading) return;
    const held = this.#held;
    const isAtBottom = pages.growsAtEnd && !this.#isPaused && this.#isAtEdge;
    held.measure(Math.max(held.rows.length, answer.matched - this.#fresh.size));
    if (pages.order !== null) {
      pages.buckets = new Buckets(answer);
      for (const id of this.#fresh) pages.buckets.add(id, -1);
    }
    // Places were counted from what was known before.
    const start = held.isFirst ? 0 : held.isLast ? answer.matched - this.#fresh.size - held.rows.length : pages.startOf(held.rows);
    const wrong = start === null ? 0 : Math.max(0, start) - held.start;
    if (wrong) {
      held.start += wrong;
      held.measure(held.length);
    }
    // What was counted before the last row came makes the list shorter, until it is counted again.
    if (isAtBottom) this.#list.toBottom();
    else if (wrong) this.#list.shift(wrong);
    else this.#list.refresh();
  }

  #drawEmpty() {
    this.#empty.draw({ hasRows: this.#held.rows.length > 0 || this.#loading !== null, total: this.#counts.total });
  }
}
