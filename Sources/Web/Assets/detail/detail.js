import * as api from "./api.js";
import { ConnectionTab } from "./connection.js";
import { CopyMenu } from "./copy.js";
import { DecodedView } from "./decoded.js";
import { el, fill } from "./dom.js";
import { codeText, count, tone, url } from "./format.js";
import { marked, needles } from "./highlight.js";
import { openMakeRule } from "./make-rule.js";
import { changeMarks } from "./marks.js";
import { MessagesView } from "./messages.js";
import { ProblemsTab, problemCount } from "./problems.js";
import { ReplaysTab } from "./replays.js";
import { SidesView } from "./sides.js";
import { SummaryView } from "./summary.js";
import { timingView } from "./timing.js";

const tabs = [
  ["overview", "Overview"], ["request", "Request"], ["response", "Response"], ["messages", "Messages"], ["timing", "Timing"],
  ["connection", "Connection"], ["decoded", "Decoded"], ["problems", "Problems"], ["replays", "Replays"],
];

/** The names that filters have for facts of the overview, where they differ. */
const factNames = { Target: "path", "Media type": "type" };

/** The part that an exchange opens on: the response, which it has or waits for, or else the overview, which says why there is none. */
const firstPart = ({ response, outcome }) => (response || outcome === "pending" ? "response" : "overview");

/** One exchange in full, beside or below the list: its head line, and its parts as tabs. */
export class Detail {
  #element;
  #on;
  #exchange = null;
  #tab = "overview";
  /** The part that the exchange opened on; an end without a response takes nobody away from it. */
  #first = "overview";
  #terms = [];
  #part = null;
  #decoded = null;
  #copies = null;
  /** Makes the rule of the exchange anew in the dialog that shows it. */
  #remakeRule = () => {};
  #told = "";

  /** `on` has close, choose, menu, notice, onlyHost, tab, turn; `instance` holds the facts about the proxy. */
  constructor(element, { on, instance }) {
    this.#element = element;
    this.#on = on;
    this.instance = instance;
    element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) on.close();
    });
    element.addEventListener("contextmenu", (event) => this.#menu(event));
  }

  /** The id of the exchange that is shown; null without one. */
  get id() { return this.#exchange?.id ?? null; }

  /** Shows an exchange with the words of a filter marked; leaves the pane as it is when the exchange has not changed. */
  show(exchange, tab, terms = []) {
    if (this.#exchange?.id !== exchange.id) this.#first = firstPart(exchange);
    const wanted = tabs.some(([name]) => name === tab) ? tab : this.#first;
    const told = JSON.stringify([exchange, terms]);
    if (told === this.#told && wanted === this.#tab) return;
    const isSame = this.#exchange?.id === exchange.id && wanted === this.#tab && terms.join("\n") === this.#terms.join("\n");
    const isMarks = isSame && unmarked(exchange) === unmarked(this.#exchange);
    if (told !== this.#told && !isMarks) {
      this.#decoded?.end();
      this.#decoded = new DecodedView(exchange, this.#on.show);
    }
    this.#told = told;
    const isChanged = this.#exchange?.id === exchange.id && ruled(exchange) !== ruled(this.#exchange);
    this.#exchange = exchange;
    this.#terms = terms;
    if (isChanged) this.#remakeRule();
    if (isSame && (isMarks || this.#part?.refresh)) {
      // The shown part stays, so that the reader keeps the place and a text that is being written.
      this.#part?.refresh?.(exchange);
      this.#drawHead();
      return;
    }
    this.#tab = wanted;
    this.#draw();
  }

  /** Says why no exchange can be shown. */
  refuse(sentence) {
    this.clear();
    fill(this.#element, this.#head(el("h2", {}, "This exchange cannot be shown")), el("p", { class: "problem" }, sentence));
  }

  /** Forgets the exchange. */
  clear() {
    this.#part?.end?.();
    this.#part = null;
    this.#decoded?.end();
    this.#decoded = null;
    this.#exchange = null;
    this.#told = "";
    this.#element.textContent = "";
  }

  // What keys ask for

  /** Shows the part that is so many tabs further on, or the part of a name. */
  turn(to) {
    if (!this.#exchange) return;
    const names = this.#tabs().map(([name]) => name);
    const name = typeof to === "string" ? to : names[(names.indexOf(this.#tab) + to + names.length) % names.length];
    if (names.includes(name)) this.#pick(name);
  }

  /** Offers the exchange's values as filters, below its title. */
  filter() {
    if (!this.#exchange) return;
    const { left, bottom } = this.#element.querySelector(".detail-head").getBoundingClientRect();
    this.#on.menu(this.#exchange, { x: left, y: bottom });
  }

  /** Wants the exchanges of the exchange's host alone. */
  onlyHost() { if (this.#exchange) this.#on.onlyHost(this.#exchange); }

  /** Sets or removes the exchange's favourite mark. */
  favourite() {
    if (this.#exchange) changeMarks(this.#exchange, { favourite: !this.#exchange.favourite }, this.#on.notice);
  }

  /** Goes to the box for a tag or a note. */
  write(what) {
    if (!this.#exchange) return;
    this.#pick("overview");
    this.#element.querySelector(what === "tag" ? "#new-tag" : "#note")?.focus();
  }

  /** Copies the exchange: url, curl or another format of the menu. */
  copy(format) { this.#copies?.copy(format); }

  /** Goes to the find box of the shown body. */
  find() { this.#element.querySelector(".find-inside:not(.other-side *)")?.focus(); }

  /** Sends the exchange again as it is. */
  replay() { this.#element.querySelector(".replay")?.click(); }

  /** Offers the value that the pointer is on, in the title or among the facts of the overview, unless text is chosen there to be copied. */
  #menu(event) {
    const fact = event.target.closest(".facts > *");
    const title = event.target.closest(".detail-head h2");
    if (!this.#exchange || !(title || (fact && this.#tab === "overview")) || !getSelection().isCollapsed) return;
    event.preventDefault();
    const term = fact?.matches("dd") ? fact.previousElementSibling : fact;
    const name = fact ? factNames[term.textContent] ?? term.textContent.toLowerCase() : event.target.closest(".code, .method")?.className;
    this.#on.menu(this.#exchange, { x: event.clientX, y: event.clientY, name });
  }

  // Drawing

  /** Draws the rows above the shown part. */
  #drawHead() {
    const place = (selector) => this.#element.querySelector(`:scope > ${selector}`);
    const focused = place(".tabs").contains(document.activeElement);
    place(".detail-head").replaceWith(this.#title());
    place(".alarm")?.replaceWith(this.#decoded.alarm);
    place(".tabs").replaceWith(this.#tabList());
    if (focused) place(".tabs").querySelector("[aria-selected=true]").focus();
  }

  #tabList() {
    const buttons = this.#tabs().map(([name, title]) => el("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": String(name === this.#tab),
      tabindex: name === this.#tab ? "0" : "-1", onclick: () => this.#pick(name),
    }, title, name === "problems" && this.#problemBadge()));
    const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the exchange" }, buttons);
    list.addEventListener("keydown", (event) => {
      const to = { ArrowRight: 1, ArrowLeft: -1, Home: "overview", End: "replays" }[event.key];
      if (!to) return;
      event.preventDefault();
      this.turn(to);
      this.#element.querySelector("[role=tab][aria-selected=true]").focus();
    });
    return list;
  }

  #draw() {
    this.#part?.end?.();
    this.#part = null;
    fill(this.#element,
      this.#title(),
      this.#decoded.alarm,
      this.#tabList(),
      el("div", { id: "panel", class: "panel", role: "tabpanel", tabindex: "0", "aria-labelledby": `tab-${this.#tab}` }, this.#panel()),
    );
    this.#element.querySelector("[aria-selected=true]").scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #problemBadge() {
    const number = problemCount(this.#exchange, this.instance.gaps);
    return number > 0 && [" ", el("span", { class: "badge bad" }, count(number))];
  }

  /** The parts of the exchange; messages only where it has a stream of them. */
  #tabs() {
    const { protocol, messageCounts } = this.#exchange;
    const hasMessages = protocol === "WebSocket" || messageCounts.request + messageCounts.response > 0;
    return tabs.filter(([name]) => name !== "messages" || hasMessages || this.#tab === "messages");
  }

  #title() {
    const exchange = this.#exchange;
    const pattern = needles(this.#terms)?.text ?? null;
    return this.#head(el("h2", { class: tone(exchange) },
      el("span", { class: "code" }, codeText(exchange)), " ",
      el("span", { class: "method" }, exchange.method || "–"), " ",
      el("span", { class: "address" }, marked(url(exchange), pattern))));
  }

  #head(title) {
    const exchange = this.#exchange;
    const isRepeatable = exchange && this.instance.recording && !["tunnelled", "pending"].includes(exchange.outcome);
    this.#copies = exchange && new CopyMenu(exchange, { notice: this.#on.notice });
    return el("header", { class: "detail-head" }, title,
      el("div", { class: "actions" },
        exchange && el("button", {
          type: "button", class: "button small star", "aria-pressed": String(exchange.favourite), "aria-label": "Favourite", title: "Favourite",
          onclick: () => this.favourite(),
        }, exchange.favourite ? "★" : "☆"),
        this.#copies?.element,
        isRepeatable && el("button", {
          type: "button", class: "button small replay", onclick: (event) => this.#replay(event.currentTarget),
        }, "Replay"),
        isRepeatable && exchange.protocol !== "WebSocket" && el("button", {
          type: "button", class: "button small", onclick: () => this.#on.edit(exchange),
        }, "Edit and replay"),
        exchange?.response && exchange.outcome !== "tunnelled" && el("button", {
          type: "button", class: "button small", "aria-label": "Make a rule…", title: "Make a rule…",
          onclick: () => {
            const back = () => this.#element.querySelector("[title='Make a rule…']");
            this.#remakeRule = openMakeRule(exchange, { back });
          },
        }, "Rule…"),
        el("button", {
          type: "button", class: "button small turn", "aria-label": "Beside or below the list", title: "Beside or below the list",
          onclick: () => this.#on.turn(),
        }, "⬓"),
        el("button", { type: "button", class: "button small", "aria-label": "Close", title: "Close (Esc)", onclick: () => this.#on.close() }, "✕")));
  }

  #pick(name) {
    this.#tab = name;
    this.#draw();
    this.#on.tab(name);
  }

  async #replay(button) {
    button.disabled = true;
    button.textContent = "Sending…";
    try {
      const { id } = await api.post(`exchanges/${this.#exchange.id}/replay`);
      this.#on.choose(id);
    } catch (error) {
      this.#on.notice(error.message);
      button.disabled = false;
      button.textContent = "Replay";
    }
  }

  /** The shown part; its views that have an `end` are ended with it. */
  #panel() {
    const exchange = this.#exchange;
    const context = { terms: this.#terms, on: this.#on, gaps: this.instance.gaps, decoded: this.#decoded, canPass: this.instance.recording };
    const hold = (part) => {
      this.#part = part;
      return part.element;
    };
    switch (this.#tab) {
      case "request":
      case "response": return hold(new SidesView(exchange, this.#tab, context));
      case "messages": return hold(new MessagesView(exchange, context));
      case "timing": return timingView(exchange);
      case "connection": return hold(new ConnectionTab(exchange));
      case "decoded": return this.#decoded.element;
      case "problems": return hold(new ProblemsTab(exchange, context));
      case "replays": return hold(new ReplaysTab(exchange, context));
      default: return hold(new SummaryView(exchange, context));
    }
  }
}

/** What of an exchange a rule that is made of it may say, or be refused for: not how much of a body has come so far. */
const ruled = ({ outcome, response }) => JSON.stringify([outcome, response?.head, response?.trailers, response?.body.truncated]);

/** An exchange without its tags, note and favourite mark. */
const unmarked = (exchange) => JSON.stringify({ ...exchange, favourite: null, tags: null, note: null });
