import { searchBox } from "./controls.js";
import { el, fill } from "./dom.js";
import { FoundMessages } from "./found-messages.js";
import { bytes, count, counted, duration, fullTime, noun, time, timeOfDay } from "./format.js";
import { marked, needles } from "./highlight.js";
import { MessagePages } from "./message-pages.js";
import { MessagePayload } from "./message-payload.js";
import { labelOf, textOf } from "./message-words.js";
import { Windowed } from "./windowed.js";

const rowHeight = 24;
// Characters of a payload in a row.
const previewLength = 300;
// Milliseconds that a walk by keys rests on a message before its payload is asked for.
const rest = 80;
const directions = [["", "All"], ["send", "Sent"], ["receive", "Received"]];
let made = 0;

/**
 * The messages of a stream in their order, or those of a direction or with a text, of which only those in sight are drawn; the chosen one is shown
 * whole below them.
 */
export class MessagesView {
  #exchange;
  #terms;
  /** The words of the page's filter and of the filter here, and the pattern of them. */
  #words = [];
  #pattern;
  #pages;
  #wanted = "";
  /** Ends the questions of the pages that are shown. */
  #asking = new AbortController();
  #chosen = null;
  #place = -1;
  #isLoading = false;
  #isStale = false;
  #timer = 0;
  #hasEnded = false;
  #payload = null;
  #id = `message-${made += 1}`;
  #note = el("p", { class: "quiet", role: "status" }, "Loading the messages…");
  #open = el("section", { class: "message-open", hidden: true, "aria-label": "Chosen message" });
  #buttons;
  #list = new Windowed({
    rowHeight, draw: (from, to) => this.#draw(from, to),
    attributes: { class: "message-rows", role: "grid", "aria-label": "Messages", "aria-colcount": "5" },
  });
  element;

  constructor(exchange, { terms = [] } = {}) {
    this.#exchange = exchange;
    this.#terms = terms;
    this.#buttons = directions.map(([name, title]) => el("button", {
      type: "button", class: "button small", "aria-pressed": String(name === ""), "data-direction": name, onclick: () => this.#only(name),
    }, title));
    const filter = searchBox("Filter the messages", "", (text) => this.#filter(text));
    filter.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !filter.value) return;
      event.preventDefault();
      filter.value = "";
      this.#filter("");
    });
    this.#list.element.addEventListener("keydown", (event) => this.#key(event));
    this.#list.element.addEventListener("click", ({ target }) => {
      const row = target.closest(".message-row");
      if (row) this.#choose(Number(row.dataset.place), { rest: 0 });
    });
    this.#open.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.#close();
    });
    this.element = el("div", { class: "messages" },
      el("div", { class: "toolbar" }, el("div", { class: "segments", role: "group", "aria-label": "Direction" }, this.#buttons), filter, this.#note),
      this.#list.element, this.#open);
    this.#begin();
  }

  /** Takes the exchange as it is now, and asks for messages that have come since. */
  async refresh(exchange) {
    this.#exchange = exchange;
    this.#isStale = true;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#grow();
      }
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#note, error.message);
    }
    this.#isLoading = false;
  }

  /** Stops the work that is under way. */
  end() {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#payload?.end();
    this.#list.end();
  }

  async #grow() {
    const pages = this.#pages;
    const list = this.#list.element;
    // A list that shows its end keeps showing it.
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - rowHeight && this.#list.total > 0;
    try {
      await pages.grow(this.#told, () => pages === this.#pages && this.#measure({ isOver: false }));
    } catch (error) {
      // Pages that others have replaced were told to stop.
      if (pages === this.#pages) throw error;
    }
    if (pages !== this.#pages) return;
    this.#measure();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  /** The number of messages of the direction, as the exchange tells it. */
  get #told() {
    const { request, response } = this.#exchange.messageCounts;
    return { "": request + response, send: request, receive: response }[this.#direction];
  }

  #measure({ isOver = true } = {}) {
    const { total, isFull } = this.#pages;
    const list = this.#list.element;
    this.#list.total = total;
    list.style.height = `${total * rowHeight + 2}px`;
    list.hidden = total === 0;
    list.setAttribute("aria-rowcount", total);
    const none = this.#direction ? "None in this direction." : "No message yet.";
    const found = `${isFull ? "The first " : ""}${total ? count(total) : "None"} of ${counted(this.#told, "message")}${isOver ? "" : "…"}`;
    fill(this.#note, this.#wanted ? found : total ? counted(total, "message") : none);
  }

  get #direction() { return this.#buttons.find((button) => button.getAttribute("aria-pressed") === "true").dataset.direction; }

  #only(name) {
    for (const button of this.#buttons) button.setAttribute("aria-pressed", String(button.dataset.direction === name));
    this.#begin();
  }

  #filter(text) {
    // The box waits for the typing to rest, and may be left meanwhile.
    if (this.#hasEnded || text === this.#wanted) return;
    this.#wanted = text;
    this.#begin();
  }

  /** Shows the messages of the direction that hold the wanted text, from the first one on. */
  #begin() {
    const { id } = this.#exchange;
    this.#close();
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#words = this.#wanted ? [...this.#terms, this.#wanted] : this.#terms;
    this.#pattern = needles(this.#words)?.text ?? null;
    this.#pages = this.#wanted
      ? new FoundMessages(id, { direction: this.#direction, text: this.#wanted, signal }) : new MessagePages(id, this.#direction, signal);
    // The rows are those of other pages: they say neither how many there are nor where the list stands.
    this.#list.total = 0;
    this.#list.element.scrollTop = 0;
    this.refresh(this.#exchange);
  }

  async #draw(from, to) {
    const pages = this.#pages;
    try {
      const messages = await pages.rows(from, to);
      if (messages.length < to - from && pages === this.#pages) {
        const kept = from + messages.length;
        fill(this.#note, `${count(kept)} of ${counted(pages.total, "message")} ${noun(kept, "was", "were")} kept`);
      }
      return messages.map((message, index) => this.#row(message, from + index));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#note, error.message);
      return [];
    } finally {
      this.#point();
    }
  }

  #row(message, place) {
    const isSent = message.direction === "send";
    const [way, peer, arrow] = isSent ? ["Sent", "from the client", "↑"] : ["Received", "from the upstream", "↓"];
    const text = textOf(message);
    const cell = (name, attributes, ...inside) => el("span", { role: "gridcell", class: name, ...attributes }, ...inside);
    return el("div", {
      class: `message-row ${isSent ? "sent" : "received"}`, role: "row", id: `${this.#id}-${place}`, "data-place": place,
      "aria-rowindex": place + 1, "aria-selected": String(message.number === this.#chosen),
    },
      cell("way", {}, el("span", { role: "img", "aria-label": way, title: peer }, arrow)),
      cell("when", { title: `${fullTime(message.time)}, ${duration(message.afterMs)} after the exchange began` }, timeOfDay(message.time)),
      cell("size", { title: message.compressed ? `${message.wireBytes} bytes compressed` : null }, bytes(message.size)),
      cell("kind", {}, labelOf(message),
        message.problem && el("span", { class: "bad", role: "img", "aria-label": "This message has a problem", title: message.problem }, " !")),
      cell("payload", {}, marked(text.slice(0, previewLength).replace(/\s+/g, " "), this.#pattern),
        (text.length > previewLength || message.truncated) && "…"));
  }

  // Choosing one

  #key(event) {
    const last = this.#pages.total - 1;
    const page = this.#list.sight - 1;
    const at = this.#place < 0 ? this.#list.first - 1 : this.#place;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: last, Enter: Math.max(0, at) }[event.key];
    if (to === undefined || last < 0 || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Escape" && this.#chosen !== null) {
        event.preventDefault();
        this.#close();
      }
      return;
    }
    event.preventDefault();
    this.#choose(Math.min(last, Math.max(0, to)), { rest: event.key === "Enter" ? 0 : rest });
  }

  async #choose(place, { rest }) {
    this.#place = place;
    this.#list.reveal(place);
    clearTimeout(this.#timer);
    const pages = this.#pages;
    try {
      const [message] = await pages.rows(place, place + 1);
      if (!message || pages !== this.#pages || place !== this.#place) return;
      this.#chosen = message.number;
      for (const row of this.#list.element.querySelectorAll(".message-row")) {
        row.setAttribute("aria-selected", String(Number(row.dataset.place) === place));
      }
      this.#point();
      this.#timer = setTimeout(() => this.#show(message), rest);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.#note, error.message);
    }
  }

  #show(message) {
    this.#payload?.end();
    this.#payload = new MessagePayload(this.#exchange.id, message, { terms: this.#words });
    const isSent = message.direction === "send";
    this.#open.hidden = false;
    fill(this.#open,
      el("header", { class: "message-head" },
        el("h3", {}, `Message ${count(message.number)}, ${isSent ? "sent by the client" : "received from the upstream"}`),
        el("button", { type: "button", class: "button small", "aria-label": "Close the message", onclick: () => this.#close() }, "✕")),
      el("p", { class: "quiet" }, `${labelOf(message)} · ${time(message.time)}, ${duration(message.afterMs)} after the exchange began`),
      message.problem && el("p", { class: "problem" }, message.problem), this.#payload.element);
    this.#list.reveal(this.#place);
  }

  #close() {
    clearTimeout(this.#timer);
    const hadFocus = this.#open.contains(document.activeElement);
    this.#payload?.end();
    [this.#payload, this.#chosen, this.#place] = [null, null, -1];
    fill(this.#open).hidden = true;
    for (const row of this.#list.element.querySelectorAll("[aria-selected=true]")) row.setAttribute("aria-selected", "false");
    this.#point();
    if (hadFocus) this.#list.element.focus();
  }

  /** Tells screen readers which row is the chosen one, while it is drawn. */
  #point() {
    requestAnimationFrame(() => {
      const id = `${this.#id}-${this.#place}`;
      if (document.getElementById(id)) this.#list.element.setAttribute("aria-activedescendant", id);
      else this.#list.element.removeAttribute("aria-activedescendant");
    });
  }
}
