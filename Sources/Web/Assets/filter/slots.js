/** The kinds of exchange that a strip tells apart, from the bottom of a bar to its top: the name in the API, for people, and the colour's token. */
export const kinds = [
  { name: "completed", title: "below 400", token: "--ok" },
  { name: "tunnelled", title: "tunnelled", token: "--none" },
  { name: "cancelled", title: "cancelled", token: "--none" },
  { name: "pending", title: "in progress", token: "--wait" },
  { name: "clientError", title: "4xx", token: "--client" },
  { name: "serverError", title: "5xx", token: "--server" },
  { name: "failed", title: "failed", token: "--failed" },
];

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The slots of an overview as a strip draws them. */
export class Slots {
  #slots;

  constructor({ from, slotMs, slots }) {
    this.begin = Date.parse(from);
    this.slotMs = slotMs;
    this.#slots = slots;
    this.length = slots.completed.length;
    this.end = this.begin + this.length * slotMs;
    this.sums = Array.from({ length: this.length }, (_, at) => kinds.reduce((sum, { name }) => sum + slots[name][at], 0));
    this.most = Math.max(1, ...this.sums);
  }

  /** The number of exchanges of a kind in a slot. */
  count(name, at) { return this.#slots[name][at]; }

  /** The numbers of exchanges of each kind in a range of slots. */
  totals(first = 0, end = this.length) {
    return Object.fromEntries(kinds.map(({ name }) => [name, this.#slots[name].slice(first, end).reduce((sum, number) => sum + number, 0)]));
  }

  /** The start of a slot. */
  time(at) { return this.begin + at * this.slotMs; }

  /** The slot of a moment, which may lie outside of the strip. */
  slot(time) { return Math.floor((time - this.begin) / this.slotMs); }
}

const age = /^(\d+)([smhdw])(?: ago)?$/;

/** Whether a filter's time counts back from now. */
export const isAge = (text) => age.test(text);

/** The times of a query text that count back from now. */
export const ages = (text) => [...text.matchAll(/(?:since|before):("[^"]*"|[^\s()]+)/gi)].map(([, time]) => time.replaceAll('"', "")).filter(isAge);

/** The moment that a filter's time means, local unless it names a zone. NaN when it cannot be read. */
export function moment(text, now = Date.now()) {
  const [, number, unit] = age.exec(text) ?? [];
  // JavaScript reads a bare date in UTC.
  return unit ? now - Number(number) * units[unit] : Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
}
