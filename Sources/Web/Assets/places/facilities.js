import * as time from "./campus-time.js";
import { choice, labelled, searchBox } from "./controls.js";
import { el, fill } from "./dom.js";
import { FacilityRow } from "./facility-row.js";
import { counted } from "./format.js";
import { LensPlace } from "./lens-place.js";

const clients = [["", "Nobody: only the facts"], ["ios", "iPhone app"], ["android", "Android app"], ["web", "Web page"], ["server", "Server"]];
const shows = [["", "All"], ["open", "Open then"], ["closed", "Closed then"], ["wrong", "Where the client is wrong"]];
// Milliseconds that the slider rests before the API is asked about its moment.
const rest = 300;

/** What's Open: the hours of a week as a grid, a slider for the moment, and what the clients say at that moment. */
export class Facilities extends LensPlace {
  name = "facilities";
  title = "Facilities";
  lenses = ["whatsopen"];
  nothing = "No facilities in the captures";
  hint = "Send the traffic of What's Open, or any request to its API for the facilities, through the proxy.";
  #head; #alerts; #grid; #slider; #moment; #filters; #sum;
  #answer = null;
  /** The filter and the moment that the answer is for. */
  #asked = null;
  #answeredAt;
  #drawnWeek = 0;
  #told = [];
  #rows = [];
  #at = 0;
  #timer = 0;

  build(body) {
    this.#head = el("p", { class: "sum" });
    this.#alerts = el("section", { class: "alerts", "aria-label": "Alerts" });
    this.#moment = el("output", { class: "moment", for: "moment" });
    this.#slider = el("input", {
      type: "range", id: "moment", min: 0, max: time.weekMinutes - 1, step: 5, "aria-label": "Moment in the week",
      oninput: () => this.#slide(time.atMinute(time.monday(this.#at), Number(this.#slider.value))),
    });
    this.#filters = el("div", { class: "controls" });
    this.#sum = el("p", { class: "quiet", role: "status" });
    this.#grid = el("div", { class: "week-grid" });
    fill(body, this.#head, this.#alerts,
      el("div", { class: "time-travel", role: "group", "aria-label": "Open at" },
        el("button", { type: "button", class: "button small", "aria-label": "A week earlier", onclick: () => this.#week(-1) }, "‹ Week"),
        this.#slider,
        el("button", { type: "button", class: "button small", "aria-label": "A week later", onclick: () => this.#week(1) }, "Week ›"),
        this.#moment,
        el("button", { type: "button", class: "button small", onclick: () => this.#go("") }, "Now")),
      this.#filters, this.#sum, this.#grid);
  }

  update() {
    // The moment of the slider is drawn already; only other changes of the address need an answer.
    const { at } = this.view.details;
    const isSame = this.#answer && this.#asked === this.view.filter && at === (this.view.details.at ? time.text(this.#at) : this.#answeredAt);
    if (isSame && time.monday(this.#at) === this.#drawnWeek) this.#filter();
    else this.load();
  }

  async ask({ get }) {
    const { at } = this.view.details;
    const [answer, alerts] = await Promise.all([
      get("facilities", { at, compare: "all", week: true }),
      get("alerts", { at, all: true }).catch((error) => {
        if (error.name === "AbortError") throw error;
        return null;
      }),
    ]);
    this.#answer = answer;
    this.#asked = this.view.filter;
    this.#answeredAt = at;
    this.#told = alerts?.alerts ?? [];
    this.#at = time.wall(answer.at);
    const from = ({ exchange, server, captured }) =>
      [this.source(exchange), ` of ${server}, last updated ${time.full(time.wall(captured))}`];
    const others = ({ exchange }, elements) => new Set(elements.map((one) => one.exchange).filter((id) => id !== exchange)).size;
    const single = others(answer, answer.facilities);
    const older = alerts ? others(alerts, alerts.alerts) : 0;
    fill(this.#head, `${counted(answer.total, "facility", "facilities")}, from `, from(answer),
      single > 0 && `, some of them from ${counted(single, "other exchange")}`, ". ",
      alerts && ["Alerts from ", from(alerts), older > 0 && `, some of them from ${counted(older, "older exchange")}`, ". "],
      `Hours of ${answer.zone}.`);
    this.#controls();
    this.#draw();
  }

  #week(step) { this.#go(time.text(this.#at + step * 7 * time.dayMs)); }

  /** Goes to another moment and drops what the slider was about to keep; an empty moment is now. */
  #go(at) {
    clearTimeout(this.#timer);
    this.keep({ at });
  }

  /** Shows another moment of the same week at once, and keeps it when the slider rests. */
  #slide(moment) {
    this.#at = moment;
    this.#drawMoment();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep({ at: time.text(moment) }), rest);
  }

  close() {
    clearTimeout(this.#timer);
    super.close();
  }

  #controls() {
    const { campus = "", show = "", search = "" } = this.view.details;
    const campuses = [...new Set(this.#answer.facilities.map((one) => one.campus).filter(Boolean))].sort();
    if (this.#filters.childElementCount && this.#filters.dataset.campuses === campuses.join()) return;
    this.#filters.dataset.campuses = campuses.join();
    fill(this.#filters,
      labelled("Search", searchBox("Name, place or tag", search, (text) => this.keep({ search: text }))),
      labelled("Show", choice(shows, show, (value) => this.keep({ show: value }))),
      labelled("Campus", choice([["", "Any"], ...campuses.map((name) => [name, name])], campus, (value) => this.keep({ campus: value }))),
      labelled("Compare with", choice(clients, this.#client(), (value) => this.keep({ app: value || "none" }))));
  }

  #client() {
    const { app = "ios" } = this.view.details;
    return clients.some(([name]) => name === app) ? app : "";
  }

  #draw() {
    const week = this.#drawnWeek = time.monday(this.#at);
    this.#rows = this.#answer.facilities.map((facility) => new FacilityRow(facility, { place: this, week }));
    const heads = time.dayNames.map((name, index) => el("th", { scope: "col", class: "day", "data-day": index },
      name, " ", el("span", { class: "quiet" }, time.date(week + index * time.dayMs))));
    fill(this.#grid, el("table", { "aria-label": "Hours of the week" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Facility"), el("th", { scope: "col" }, "Then"), heads)),
      el("tbody", {}, this.#rows.map(({ elements }) => elements))));
    this.#drawMoment();
  }

  #drawMoment() {
    const number = time.minuteOfWeek(this.#at);
    this.#slider.value = number;
    this.#moment.textContent = time.full(this.#at);
    this.#slider.setAttribute("aria-valuetext", time.full(this.#at));
    this.#grid.style.setProperty("--now", `${(number % 1440) / 14.4}%`);
    this.#grid.dataset.day = Math.floor(number / 1440);
    for (const row of this.#rows) row.show(this.#at, this.#client());
    this.#filter();
    this.#drawAlerts();
  }

  #filter() {
    const { search = "", campus = "", show = "" } = this.view.details;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of this.#rows) row.show(this.#at, this.#client());
    let shown = 0;
    for (const row of this.#rows) {
      const isWanted = words.every((word) => row.words.includes(word)) && (!campus || row.facility.campus === campus)
        && (!show || (show === "wrong" ? row.isWrong : row.isOpen === (show === "open")));
      row.hidden = !isWanted;
      shown += isWanted;
    }
    const open = this.#rows.filter(({ isOpen }) => isOpen).length;
    const wrong = this.#rows.filter(({ isWrong }) => isWrong).length;
    this.#sum.textContent = `${open} of ${this.#rows.length} open ${time.full(this.#at)}`
      + (this.#client() ? `; ${clients.find(([name]) => name === this.#client())[1]} wrong about ${wrong}` : "")
      + (shown < this.#rows.length ? `. ${shown} shown.` : ".");
  }

  #drawAlerts() {
    const isActive = ({ start, end }) => start && end && time.wall(start) < this.#at && this.#at < time.wall(end);
    const active = this.#told.filter(isActive);
    const order = ["emergency", "major", "minor", "info"];
    const rank = ({ urgency }) => (order.indexOf(urgency.toLowerCase()) + 5) % 5;
    const others = this.#told.length - active.length;
    fill(this.#alerts, this.#told.length > 0 && el("h3", {}, `Alerts (${active.length})`),
      el("ul", {}, active.sort((one, other) => rank(one) - rank(other)).map((alert) => el("li", { class: `alert ${alert.urgency.toLowerCase()}` },
        el("b", {}, alert.urgency), " ", alert.subject, alert.body && el("span", { class: "quiet" }, ` ${alert.body}`),
        el("span", { class: "quiet" }, ` until ${time.full(time.wall(alert.end))}`),
        alert.warnings.length > 0 && el("span", { class: "warn" }, ` ${alert.warnings.join("; ")}`)))),
      others > 0 && el("p", { class: "quiet" }, `${counted(others, "more is", "more are")} not shown at that moment.`));
  }
}
