import * as api from "./api.js";
import { choice, labelled, refill, searchBox, segments, ticked } from "./controls.js";
import { el, fill } from "./dom.js";
import { findingLine } from "./finding.js";
import { counted } from "./format.js";
import { LensPlace, portion } from "./lens-place.js";

const kinds = [["", "Any"], ["virtual", "Virtual"], ["hybrid", "Hybrid"], ["in-person", "In person"], ["video", "By video"], ["phone", "By phone"]];
const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = [...new Set([here, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((name) => [name, name]);

/** The meetings of the newest captured answer in the reader's week: a day, its time slots, the meetings of a slot. */
export class Meetings extends LensPlace {
  name = "meetings";
  title = "Meetings";
  lenses = ["meetings"];
  nothing = "No meetings in the captures";
  hint = "Send the traffic of the Virtual Meeting Finder, or any request to its server for ?query, through the proxy.";
  #head; #days; #controls; #slots; #list; #hidden; #problems; #problem;
  #filter = null;

  build(body) {
    this.#head = el("p", { class: "sum" });
    this.#days = el("div", {});
    this.#controls = el("div", { class: "controls" });
    this.#slots = el("section", { class: "slots", "aria-label": "Time slots" });
    this.#list = el("section", { class: "meeting-list", "aria-label": "Meetings" });
    this.#hidden = el("details", { class: "hidden-meetings", ontoggle: () => this.#hidden.open && this.#drawHidden() });
    this.#problems = el("section", {});
    this.#problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.#filter = null;
    fill(body, this.#head, this.#days, this.#controls, this.#problem, this.#slots, this.#list, this.#hidden, this.#problems);
    const { search = "", kind = "", zone = here, attended = "" } = this.view.details;
    fill(this.#controls,
      labelled("Search", searchBox("Name of a meeting", search, (text) => this.keep({ search: text, day: "", time: "" }))),
      labelled("Type", choice(kinds, kind, (value) => this.keep({ kind: value }))),
      labelled("Your zone", choice(zones, zone, (value) => this.keep({ zone: value === here ? "" : value }))),
      labelled("Nearest to", el("input", {
        type: "time", value: this.view.details.time ?? "", onchange: (event) => this.keep({ time: event.target.value }),
      })),
      ticked("Only those I attend", el("input", {
        type: "checkbox", name: "attended", checked: attended === "yes",
        onchange: (event) => this.keep({ attended: event.target.checked ? "yes" : "" }),
      })));
  }

  async ask({ get }) {
    const { search = "", kind = "", zone = here, time = "", attended = "" } = this.view.details;
    const today = names[new Date(new Date().toLocaleString("en-US", { timeZone: zone })).getDay()];
    const day = search ? "" : this.view.details.day || today.toLowerCase().slice(0, 3);
    const common = { tz: zone, kind, attended: attended === "yes" };
    const [answer, nearest] = await Promise.all([
      get("meetings", search ? { ...common, search } : day === "now" ? { ...common, now: true } : { ...common, day, slots: true }),
      // The lens names the slot that is nearest to a time, and where the app would go instead.
      !search && time && day !== "now" ? get("meetings", { ...common, day, time }) : null,
    ]);
    const { hidden } = answer;
    fill(this.#head, `${counted(answer.total, "meeting")}, from `, this.source(answer.capture), `. Times of ${answer.zone}.`);
    const days = this.#week().map((index) => [names[index].toLowerCase().slice(0, 3), names[index]]);
    refill(this.#days, segments("Day", [["now", "In progress"], ...days], day, (value) => this.keep({ day: value, time: "", search: "" })));
    this.#drawSlots(answer, nearest, day);
    this.#drawList(answer, nearest);
    this.#hidden.hidden = hidden.count === 0 && hidden.reasons.length === 0;
    const reasons = hidden.reasons.map(({ reason, count }) => `${reason} (${count})`).join(", ");
    fill(this.#hidden, el("summary", {}, `${hidden.count} hidden or altered by the app: ${reasons}`), el("div", { class: "rest" }));
    if (this.#hidden.open) this.#drawHidden();
    if (this.#filter !== this.view.filter) {
      this.#filter = this.view.filter;
      this.#drawProblems();
    }
  }

  /** The days in the order of the reader's week. */
  #week() {
    const locale = new Intl.Locale(navigator.language);
    const first = (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 7 }).firstDay % 7;
    return names.map((_, index) => (first + index) % 7);
  }

  #drawSlots({ slots = [] }, nearest, day) {
    const chosen = nearest?.nearest?.time ?? null;
    const most = Math.max(1, ...slots.map(({ count }) => count));
    const isPast = nearest?.nearest && nearest.nearest.inApp !== nearest.nearest.time;
    this.#slots.hidden = slots.length === 0;
    fill(this.#slots, el("h3", {}, counted(slots.length, "time slot")),
      el("ol", { class: "slot-list" }, slots.map(({ time, count }) => {
        const level = el("span", { class: "level", "aria-hidden": "true" });
        level.style.height = `${Math.round(count / most * 100)}%`;
        return el("li", {}, el("button", {
          type: "button", "aria-pressed": String(time === chosen), "aria-label": `${time}, ${counted(count, "meeting")}`,
          "data-slot": time,
          onclick: () => this.keep({ day, time: time === chosen ? "" : time }),
        }, level, el("span", {}, time), el("span", { class: "quiet" }, String(count))));
      })),
      isPast && el("p", { class: "problem" },
        `Nearest to ${this.view.details.time} is ${nearest.nearest.time}; the app would go to ${nearest.nearest.inApp} (`,
        el("b", {}, "V2"), " or ", el("b", {}, "V3"), ": it passes the last slot, or compares hours and minutes as one number)."));
  }

  #drawList({ meetings }, nearest) {
    const shown = nearest ? nearest.meetings : meetings;
    fill(this.#list, el("h3", {}, counted(shown.length, "meeting")),
      shown.length === 0 && el("p", { class: "quiet" }, this.view.details.attended
        ? "No meeting that you attend matches; the star of a meeting marks that you attend it."
        : "No meeting matches."),
      portion(shown, (meeting) => card(meeting, () => this.#attend(meeting))));
  }

  /** Marks that the reader attends a meeting, or removes the mark; the focus stays on the star. */
  async #attend({ id, attended }) {
    try {
      await api.post("places/meetings/marks", attended ? { remove: [id] } : { add: [id] });
    } catch (error) {
      fill(this.#problem, error.message).hidden = false;
      return;
    }
    this.#problem.hidden = true;
    await this.load();
    const star = [...this.#list.querySelectorAll("[data-meeting]")].find((one) => one.dataset.meeting === id)?.querySelector(".attend");
    (star ?? this.#list.querySelector(".attend") ?? this.#controls.querySelector("[name=attended]")).focus();
  }

  async #drawHidden() {
    const rest = this.#hidden.querySelector(".rest");
    try {
      const { meetings } = await this.get("meetings", { tz: this.view.details.zone ?? here, hidden: true });
      fill(rest, meetings.map((meeting) => el("p", {},
        el("b", {}, meeting.name || "(no name)"), ` ${meeting.id}: `, el("span", { class: "warn" }, meeting.reasons.join(", ")))));
    } catch (error) {
      fill(rest, el("p", { class: "problem" }, error.message));
    }
  }

  async #drawProblems() {
    const filter = this.#filter;
    try {
      const { rules } = await this.get("check", { check: "VM", limit: 5 });
      if (filter !== this.#filter) return;
      fill(this.#problems, rules.length > 0 && el("h3", {}, "What the app makes of these answers"), rules.map((rule) => this.#rule(rule)));
    } catch (error) {
      fill(this.#problems, el("p", { class: "problem" }, error.message));
    }
  }

  #rule({ rule, title, severity, count, exchanges, consequence, findings }) {
    return el("details", { class: `rule ${severity}` },
      el("summary", {}, el("code", {}, rule), ` ${title} `,
        el("span", { class: "quiet" }, `${count} in ${counted(exchanges, "exchange")}`)),
      el("p", { class: "quiet" }, consequence),
      el("ul", { class: "found" }, findings.map((finding) => findingLine(this.view, finding))));
  }
}

function card(meeting, attend) {
  const minutes = meeting.durationSeconds ? Math.round(meeting.durationSeconds / 60) : null;
  const own = `${names[meeting.own.weekday - 1] ?? "?"} ${meeting.own.time ?? "?"} ${meeting.own.zone ?? ""}`;
  return el("article", { class: `meeting ${meeting.inProgress ? "now" : ""}`, "data-meeting": meeting.id },
    el("h4", {}, meeting.appId !== null && el("button", {
      type: "button", class: "attend", "aria-pressed": String(meeting.attended), "aria-label": `I attend ${meeting.name || meeting.id}`,
      title: meeting.attended ? "You attend it" : "Mark that you attend it", onclick: attend,
    }, meeting.attended ? "★" : "☆"), meeting.name || "(no name)",
      " ", el("span", { class: "badge" }, meeting.kind ?? "unknown"), meeting.inProgress && el("span", { class: "badge live" }, "in progress")),
    el("p", {}, `${meeting.day ?? "?"} `, el("b", {}, meeting.time ?? "?"), minutes && `, ${minutes} min`,
      el("span", { class: "quiet" }, ` (there ${own})`)),
    (meeting.url || meeting.phoneNumber) && el("p", { class: "address" }, [meeting.url, meeting.phoneNumber].filter(Boolean).join(" · ")));
}
