import * as time from "./campus-time.js";
import { el, fill } from "./dom.js";
import { counted } from "./format.js";

const titles = { ios: "iPhone app", android: "Android app", web: "Web page", server: "Server" };

/** A facility's line in the week: its bars, its state at a moment, and the reason behind a button. */
export class FacilityRow {
  facility;
  /** The text that a search reads. */
  words;
  isOpen = false;
  /** Whether the compared client is wrong. */
  isWrong = false;
  #place; #week; #line; #more; #then; #toggle;
  #spans;
  #client = "";
  #at = 0;

  constructor(facility, { place, week }) {
    this.facility = facility;
    this.#place = place;
    this.#week = week;
    this.words = [facility.name, facility.location, facility.building, facility.address, facility.category, ...facility.tags].join(" ").toLowerCase();
    this.#spans = facility.hours.map(({ start, end }) => [start ? time.wall(start) : -Infinity, end ? time.wall(end) : Infinity]);
    this.#then = el("td", { class: "then" });
    this.#toggle = el("button", { type: "button", class: "twist-button", "aria-expanded": "false", onclick: () => this.#unfold() }, facility.name);
    const about = [facility.category, facility.location].filter(Boolean).join(" · ");
    const { warnings } = facility;
    this.#line = el("tr", { class: "facility", "data-slug": facility.slug },
      el("th", { scope: "row" }, this.#toggle, about && el("span", { class: "quiet about" }, about),
        warnings.length > 0 && el("span", { class: "warn", title: warnings.join("\n") },
          counted(warnings.length, "warning"))),
      this.#then, time.dayNames.map((_, index) => this.#day(index)));
    this.#more = el("tr", { class: "why", hidden: true }, el("td", { colspan: 9 }));
  }

  get elements() { return [this.#line, this.#more]; }

  set hidden(value) {
    this.#line.hidden = value;
    this.#more.hidden = value || this.#toggle.getAttribute("aria-expanded") === "false";
  }

  /** Shows the state at a moment, and what a client would say; "" is no client. */
  show(at, client) {
    this.#at = at;
    if (client !== this.#client) {
      this.#client = client;
      this.#line.querySelectorAll(".wrong").forEach((strip) => strip.remove());
      for (const stretch of this.#entry()?.week?.stretches ?? []) this.#strip(stretch);
    }
    const span = this.#spans.find(([start, end]) => start <= at && at < end);
    this.isOpen = Boolean(span);
    const next = this.#spans.find(([start]) => start > at);
    const says = this.#says(this.#entry());
    this.isWrong = says !== null && says.answer !== (this.isOpen ? "open" : "closed");
    const later = this.facility.opensNext && time.wall(this.facility.opensNext);
    const opens = next?.[0] ?? (later > at ? later : null);
    const open = span?.[1] === Infinity ? " 24 hours" : span && ` until ${this.#short(span[1])}`;
    const until = span ? open : opens ? `, opens ${this.#short(opens)}` : ", not open again this week";
    fill(this.#then, el("span", { class: `state-word ${this.isOpen ? "open" : "closed"}` }, this.isOpen ? "Open" : "Closed"),
      el("span", { class: "quiet" }, until),
      this.isWrong && el("span", { class: "verdict" }, `${titles[this.#client]}: ${says.answer} `, el("b", {}, says.bug)));
  }

  #entry(client = this.#client) { return this.facility.compare?.find((one) => one.client === client); }

  /** What a client says at the shown moment, with the bug that makes it wrong. */
  #says(entry) {
    if (!entry) return null;
    if (entry.says === "crash") return { answer: "crash", bug: entry.bug };
    const isNow = ({ start, minutes }) => time.wall(start) <= this.#at && this.#at < time.wall(start) + minutes * 60_000;
    const stretch = entry.week?.stretches.find(isNow);
    return stretch ? { answer: stretch.says, bug: stretch.bug } : { answer: this.isOpen ? "open" : "closed", bug: null };
  }

  #short(moment) {
    const isSameDay = Math.floor(moment / time.dayMs) === Math.floor(this.#at / time.dayMs);
    return isSameDay ? time.clock(moment) : `${time.dayName(moment)} ${time.clock(moment)}`;
  }

  /** The bars of a day, with the same in words. */
  #day(index) {
    const [from, to] = [this.#week + index * time.dayMs, this.#week + (index + 1) * time.dayMs];
    const spans = this.#spans.map(([start, end]) => [Math.max(start, from), Math.min(end, to)]).filter(([start, end]) => start < end);
    const words = spans.map(([start, end]) => `${time.clock(start)}–${end === to ? "24:00" : time.clock(end)}`).join(", ") || "closed";
    const bars = spans.map(([start, end]) => {
      const bar = el("span", { class: "bar-open", "aria-hidden": "true" });
      bar.style.left = `${(start - from) / time.dayMs * 100}%`;
      bar.style.width = `${(end - start) / time.dayMs * 100}%`;
      return bar;
    });
    return el("td", { class: "day", "data-day": index, title: words }, el("span", { class: "spoken" }, words), el("div", { class: "track" }, bars));
  }

  /** The minutes in which the compared client is wrong, under the bars of their days. */
  #strip({ start, minutes, says, bug }) {
    let from = time.wall(start);
    const end = from + minutes * 60_000;
    while (from < end) {
      const day = Math.floor((from - this.#week) / time.dayMs);
      const midnight = this.#week + (day + 1) * time.dayMs;
      const to = Math.min(end, midnight);
      const track = this.#line.querySelector(`td[data-day="${day}"] .track`);
      const title = `${titles[this.#client]} says ${says} (${bug}), ${time.clock(from)}–${time.clock(to)}`;
      const strip = el("span", { class: bug === "T5" ? "wrong boundary" : "wrong", title, "aria-hidden": "true" });
      strip.style.left = `${(from - midnight + time.dayMs) / time.dayMs * 100}%`;
      strip.style.width = `${(to - from) / time.dayMs * 100}%`;
      track?.append(strip);
      from = to;
    }
  }

  async #unfold() {
    const isOpen = this.#toggle.getAttribute("aria-expanded") === "false";
    this.#toggle.setAttribute("aria-expanded", String(isOpen));
    this.#more.hidden = !isOpen;
    if (!isOpen) return;
    const { facility } = this;
    const cell = this.#more.firstChild;
    const because = el("dl", { class: "facts" }, el("dt", {}, "why"), el("dd", {}, "Working it out…"));
    fill(cell, el("div", { class: "why-parts" },
      el("section", {}, el("h3", {}, `${facility.name}, ${time.full(this.#at)}`), because),
      el("section", {}, el("h3", {}, "What the clients say"), el("table", { class: "fields" },
        el("thead", {}, el("tr", {},
          ["client", "says then", "minutes wrong in the week", "because of"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, facility.compare.map((entry) => this.#verdict(entry))))),
      el("section", {}, el("h3", {}, "What it is"), el("dl", { class: "facts" },
        [
          ["category", facility.category], ["location", facility.location], ["address", facility.address], ["campus", facility.campus],
          ["tags", facility.tags.join(", ")], ["schedule", facility.schedule],
        ].filter(([, text]) => text).map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]),
        el("dt", {}, "captured in"),
        el("dd", {}, this.#place.source(facility.exchange), `, last updated ${time.full(time.wall(facility.captured))}`),
        facility.warnings.map((warning) => [el("dt", {}, "warning"), el("dd", { class: "warn" }, warning)])))));
    try {
      const { why } = await this.#place.get("facility", { slug: facility.slug, at: time.text(this.#at) });
      fill(because, why.map(({ name, text }) => [el("dt", {}, name), el("dd", {}, text)]));
    } catch (error) {
      fill(because, el("dt", {}, "why"), el("dd", {}, error.message));
    }
  }

  #verdict(entry) {
    const says = this.#says(entry);
    const isRight = says.answer === (this.isOpen ? "open" : "closed");
    const { week } = entry;
    return el("tr", {},
      el("th", { scope: "row" }, titles[entry.client]),
      el("td", { class: isRight ? "" : "bad" }, `${says.answer}${isRight ? "" : " ✗"}${says.bug ? ` (${says.bug})` : ""}`),
      el("td", {}, week.crash ? `crashes (${week.crash})` : week.minutesWrong.toLocaleString("en")),
      el("td", {}, week.crash && entry.because && el("div", {}, el("b", {}, week.crash), ` ${entry.because}`),
        week.causes.map(({ bug, minutes, sentence }) => el("div", {}, el("b", {}, bug), ` ${minutes} min: ${sentence}`))));
  }
}
