import { BodyView } from "./body.js";
import { TokenView, tokens } from "./body-token.js";
import { el, fill } from "./dom.js";
import { bytes, count, counted } from "./format.js";
import { fieldTable, fieldsOf, rawHead } from "./heads.js";
import { needles } from "./highlight.js";
import * as preferences from "./preferences.js";
import { cookies, facts, pairs, query } from "./tables.js";

const modes = [["sent", "Raw"], ["parsed", "Table"]];

/** The request or the response: its heads, folded to a line or as they were or as tables, and its body. */
export class MessageTab {
  #exchange;
  #side;
  #pattern;
  #terms;
  #body = null;
  #frames = el("p", { class: "quiet" });
  #mode;
  #line = el("summary", {});
  /** Whether somebody has folded or unfolded the head. */
  #isFoldChosen = false;
  #heads = el("div", { class: "heads" });
  #marks = el("p", { class: "hits", hidden: true });
  #at = -1;
  #fold;
  element;

  constructor(exchange, side, { terms }) {
    this.#exchange = exchange;
    this.#side = side;
    this.#terms = terms;
    this.#pattern = needles(terms)?.text ?? null;
    const mode = preferences.get("heads", "sent");
    this.#line.addEventListener("click", () => {
      this.#isFoldChosen = true;
      preferences.set("headsUnfolded", !this.#fold.open);
    });
    const buttons = modes.map(([name, title]) => el("button", {
      type: "button", class: "button small", "aria-pressed": String(name === mode), onclick: (event) => {
        preferences.set("heads", name);
        for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.currentTarget));
        this.#drawHeads(name);
      },
    }, title));
    const message = exchange[side];
    this.#fold = message && el("details", { class: "head-fold", open: this.#isUnfolded },
      fill(this.#line, line(message)),
      el("div", { class: "toolbar" }, el("div", { class: "segments", role: "group", "aria-label": "View of the head" }, buttons)),
      this.#heads);
    this.element = el("div", {},
      !message && el("p", { class: "quiet" }, exchange.outcome === "pending" ? "No response yet." : "No response came."),
      this.#fold ?? this.#heads,
      this.#marks,
      message && this.#bodySection(message),
      side === "response" && exchange.ownResponse
        && rawHead("Head of the proxy's own answer", exchange.ownResponse, { pattern: this.#pattern }));
    this.#drawHeads(mode);
  }

  /** Stops the work that is under way. */
  end() { this.#body?.end(); }

  /** The side that is shown. */
  get side() { return this.#side; }

  /** Takes the exchange as it is now, with all that has not changed left as it is; returns false where the tab has to be made anew. */
  refresh(exchange) {
    const side = this.#side;
    const before = this.#exchange;
    if (frame(exchange, side) !== frame(before, side)) return false;
    this.#exchange = exchange;
    const message = exchange[side];
    if (headOf(exchange, side) !== headOf(before, side)) {
      if (message) fill(this.#line, line(message));
      this.#drawHeads(this.#mode);
    }
    if (!message || JSON.stringify(message.body) === JSON.stringify(before[side].body)) return true;
    if (before[side].body.size === 0 && !this.#isFoldChosen) this.#fold.open = this.#isUnfolded;
    this.#tell(message);
    this.#body?.refresh(typed(message));
    return true;
  }

  /** Whether the head begins unfolded: where no body follows, it is all there is to see. */
  get #isUnfolded() {
    const hasBody = this.#exchange[this.#side].body.size > 0 && this.#exchange.protocol !== "WebSocket";
    return preferences.get("headsUnfolded", false) === true || !hasBody;
  }

  #drawHeads(mode) {
    this.#mode = mode;
    const { interim } = this.#exchange;
    const message = this.#exchange[this.#side];
    const pattern = this.#pattern;
    fill(this.#heads,
      this.#side === "response" && interim?.map((one) => rawHead("Interim response", one.head, { pattern })),
      message && (mode === "parsed" ? this.#parsed(message) : this.#raw(message)),
      message?.trailers?.length > 0 && pairs("Trailers", message.trailers, pattern),
      message && this.#inside(message));
    this.#count();
  }

  #raw(message) {
    const [got, sent] = this.#titles();
    const { head, sentHead } = message;
    const pattern = this.#pattern;
    return [
      rawHead(got, head, { other: sentHead ?? null, mark: "removed", pattern }),
      sentHead && rawHead(sent, sentHead, { other: head, mark: "added", pattern }),
      sentHead && el("p", { class: "quiet legend" }, el("span", { class: "removed" }, "Struck through"), " did not go on; ",
        el("span", { class: "added" }, "coloured"), " was put there by the proxy."),
    ];
  }

  #parsed(message) {
    const [got, sent] = this.#titles();
    const pattern = this.#pattern;
    const sentFields = message.sentHead ? fieldsOf(message.sentHead) : null;
    const [first, second, ...rest] = startLine(message.head).split(" ");
    const start = this.#side === "request" ? [["Method", first], ["Target", second], ["Version", rest.join(" ")]]
      : [["Version", first], ["Code", second], ["Reason", rest.join(" ") || "none"]];
    return [
      facts(start),
      fieldTable(got, message.fields, { other: sentFields, mark: "removed", pattern }),
      sentFields && fieldTable(sent, sentFields, { other: message.fields, mark: "added", pattern }),
    ];
  }

  #titles() {
    return this.#side === "request"
      ? ["Head as the client sent it", "Head as sent upstream"]
      : ["Head as the upstream sent it", "Head as the client got it"];
  }

  /** The parts of the fields that have a form of their own: parameters, cookies, tokens. */
  #inside(message) {
    return [
      this.#side === "request" && pairs("Query", query(this.#exchange.target), this.#pattern),
      pairs(this.#side === "request" ? "Cookies" : "Cookies set", cookies(message.fields, this.#side), this.#pattern),
      tokens(message.fields).map(([name, text]) => el("section", { class: "token-section" }, el("details", {},
        el("summary", {}, `Token in ${name}`), new TokenView(text).element))),
    ];
  }

  #bodySection(message) {
    const isFrames = this.#exchange.protocol === "WebSocket";
    if (!isFrames) this.#body = new BodyView(this.#exchange.id, this.#side, typed(message), { terms: this.#terms });
    this.#tell(message);
    return el("section", { class: "body-section" }, el("h3", {}, "Body"), this.#body?.element ?? this.#frames);
  }

  #tell({ body }) { fill(this.#frames, `${bytes(body.size)} of WebSocket frames; the messages are under Messages.`); }

  /** The number of matches of the filter's words in the heads, and buttons from one match to the next. */
  #count() {
    const found = this.#heads.querySelectorAll("mark");
    this.#at = -1;
    this.#marks.hidden = found.length === 0;
    if (!found.length) return;
    const said = el("span", { role: "status" }, `${count(found.length)} in the head`);
    const step = (by) => {
      if (this.#fold) this.#fold.open = true;
      found[this.#at]?.classList.remove("now");
      this.#at = this.#at < 0 ? (by > 0 ? 0 : found.length - 1) : (this.#at + by + found.length) % found.length;
      found[this.#at].classList.add("now");
      found[this.#at].scrollIntoView({ block: "center" });
      said.textContent = `${count(this.#at + 1)} of ${count(found.length)} in the head`;
    };
    fill(this.#marks, said, " ", [["Previous match in the head", "↑", -1], ["Next match in the head", "↓", 1]].map(([label, text, by]) =>
      el("button", { type: "button", class: "button small", "aria-label": label, onclick: () => step(by) }, text)));
  }
}

/** A head in a line: how it starts, the number of its fields, and whether it was sent on as it came. */
function line({ head, sentHead, fields }) {
  const said = [counted(fields.length, "field"), sentHead && "sent on with changes"].filter(Boolean).join(", ");
  return [el("code", {}, startLine(head)), " ", el("span", { class: "quiet" }, said)];
}

/** A message with the type of its body. */
function typed(message) {
  const contentType = message.fields.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return { ...message, contentType, type: contentType?.split(";")[0].trim().toLowerCase() ?? "" };
}

/** What decides which sections there are. */
const frame = ({ outcome, ownResponse, protocol, ...exchange }, side) =>
  JSON.stringify([exchange[side] ? "message" : outcome === "pending", protocol === "WebSocket", ownResponse]);

/** What the section of the head shows. */
const headOf = ({ interim, ...exchange }, side) => JSON.stringify([interim, exchange[side] && { ...exchange[side], body: null }]);

const startLine = (head) => head.split(/\r?\n/, 1)[0];
