import * as api from "./api.js";

/** Rows of each further answer. */
export const stride = 300;
// Rows of the first answer, and of any answer at most.
const pageLength = 200;
const pageLimit = 1_000;
// Answers that are joined at most where a bucket has more rows than one answer.
const roundLimit = 5;

/** The rows of a filter by number, newest or oldest first: pages continue from a number, and buckets give a number's place in the list. */
export class NumberedPages {
  /** The buckets that give the places of numbers; null until they are known. */
  buckets = null;
  /** The greatest number of the list; newer exchanges wait. */
  newest = Infinity;
  #filter;
  #isRising;

  constructor(filter, { isRising }) {
    [this.#filter, this.#isRising] = [filter, isRising];
    this.order = isRising ? (a, b) => a.id - b.id : (a, b) => b.id - a.id;
  }

  /** Whether new exchanges appear at the end of the list. */
  get growsAtEnd() { return this.#isRising; }

  /** The rows from the top of the list. */
  async first({ signal } = {}) {
    const { rows, isOver } = await this.#ask(this.#isRising ? "newer=0" : this.#below(), { signal });
    return { start: 0, rows, isFirst: true, isLast: isOver };
  }

  /** The rows at the end of a rising list. */
  async last({ signal } = {}) {
    const { rows, isOver } = await this.#ask(this.#below(), { signal });
    return { rows, isFirst: isOver, isLast: true };
  }

  /** The rows after one. */
  async after(row, { signal } = {}) {
    const { rows, isOver } = await this.#ask(`${this.#isRising ? "newer" : "after"}=${row.id}`, { signal, limit: stride });
    return { rows, isLast: isOver };
  }

  /** The rows before one. */
  async before(row, { signal } = {}) {
    const { rows, isOver } = await this.#ask(`${this.#isRising ? "after" : "newer"}=${row.id}`, { signal, limit: stride });
    return { rows, isFirst: isOver };
  }

  /** Rows around a range of places. */
  async around(first, end, { signal } = {}) {
    if (end <= pageLength || !this.buckets) return this.first({ signal });
    const { buckets } = this;
    const bucket = this.#isRising ? buckets.find(first) : buckets.find(Math.max(0, buckets.length - 1 - first));
    const start = this.place(bucket);
    const rows = [];
    let from = this.#isRising ? `newer=${buckets.begin(bucket) - 1}` : `after=${Math.min(buckets.begin(bucket + 1), this.newest + 1)}`;
    for (let round = 0; round < roundLimit; round++) {
      const answer = await this.#ask(from, { signal, limit: Math.min(pageLimit, Math.max(pageLength, end - start - rows.length)) });
      rows.push(...answer.rows);
      if (answer.isOver || start + rows.length >= end) return { start, rows, isFirst: start === 0, isLast: answer.isOver };
      from = `${this.#isRising ? "newer" : "after"}=${rows.at(-1).id}`;
    }
    return { start, rows, isFirst: start === 0, isLast: false };
  }

  /** The place of the first row of a bucket. */
  place(bucket) { return this.#isRising ? this.buckets.before(bucket) : this.buckets.length - this.buckets.before(bucket + 1); }

  /** The rows of an exchange's bucket, and what follows. */
  async with(id, { signal } = {}) {
    const first = this.buckets ? this.place(this.buckets.bucket(id)) : 0;
    const bucket = this.buckets?.bucket(id) ?? 0;
    const size = this.buckets ? this.buckets.before(bucket + 1) - this.buckets.before(bucket) : 0;
    return this.around(first, first + size + pageLength, { signal });
  }

  /** The place of the first of these rows, from the buckets; null where they do not tell. */
  startOf(rows) {
    if (!this.buckets) return null;
    const index = rows.findIndex((row, at) => at > 0 && this.buckets.bucket(row.id) !== this.buckets.bucket(rows[at - 1].id));
    return index < 0 ? null : Math.max(0, this.place(this.buckets.bucket(rows[index].id)) - index);
  }

  #below() { return this.newest === Infinity ? "" : `after=${this.newest + 1}`; }

  async #ask(from, { signal, limit = pageLength }) {
    const answer = await api.get(`search?${[this.#filter, `limit=${limit}`, from].filter(Boolean).join("&")}`, { signal });
    const rows = answer.exchanges.filter(({ id }) => id <= this.newest);
    // Those left out are newer than the list: beyond them there is nothing of it.
    const isOver = answer.next === null || rows.length < answer.exchanges.length;
    return { rows: this.#isRising ? rows.reverse() : rows, isOver };
  }
}

/** The rows of a filter ranked by a value: the server ranks all of them, and pages continue from a rank. */
export class RankedPages {
  newest = Infinity;
  order = null;
  buckets = null;
  growsAtEnd = false;
  #filter;
  #sort;

  constructor(filter, sort) { [this.#filter, this.#sort] = [filter, sort]; }

  first({ signal } = {}) { return this.#ask(0, pageLength, signal); }
  after(row, { signal, place }) { return this.#ask(place + 1, stride, signal); }
  before(row, { signal, place }) { return this.#ask(Math.max(0, place - stride), Math.min(place, stride), signal); }
  around(first, end, { signal } = {}) { return this.#ask(first, Math.min(pageLimit, end - first), signal); }
  startOf() { return null; }

  async #ask(skip, limit, signal) {
    const below = this.newest === Infinity ? null : `after=${this.newest + 1}`;
    const parts = [this.#filter, `sort=${this.#sort}`, `skip=${skip}`, `limit=${limit}`, below];
    const answer = await api.get(`search?${parts.filter(Boolean).join("&")}`, { signal });
    return { start: skip, rows: answer.exchanges, isFirst: skip === 0, isLast: answer.next === null };
  }
}
