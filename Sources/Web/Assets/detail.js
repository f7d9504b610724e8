import * as api from "./api.js";
import { BodyView } from "./body.js";
import { DecodedView } from "./decoded.js";
import { copyButton, el, fill } from "./dom.js";
import { bytes, codeText, count, duration, fullTime, tone, url } from "./format.js";
import { marksView } from "./marks.js";
import { MessagesView } from "./messages.js";
import { timingView } from "./timing.js";

const tabs = [["overview", "Overview"], ["decoded", "Decoded"], ["request", "Request"], ["response", "Response"], ["messages", "Messages"], ["timing", "Timing"], ["connection", "Connection"]];

/** One exchange in full, beside the list. */
export class Detail {
  #element;
  #on;
  #exchange = null;
  #tab = "overview";
  #canReplay = false;
  #bodies = [];
  #messages = null;
  #decoded = null;
  #told = "";

  constructor(element, on) {
    this.#element = element;
    this.#on = on;
    element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") on.close();
    });
  }

  set canReplay(value) { this.#canReplay = value; }

  /** Shows an exchange; leaves everything as it is when nothing about it changed. */
  show(exchange, tab) {
    const told = JSON.stringify(exchange);
    if (told === this.#told && tab === this.#tab) return;
    if (told !== this.#told) {
      this.#decoded?.end();
      this.#decoded = new DecodedView(exchange.id);
      // What failed inside is said at once, whatever part is looked at.
      if (exchange.lens) this.#decoded.load();
    }
    this.#told = told;
    const isSame = this.#exchange?.id === exchange.id && tab === this.#tab;
    this.#exchange = exchange;
    if (isSame && tab === "messages" && this.#messages) {
      // The list grows where it is, so that its reader keeps the place.
      this.#messages.refresh();
      this.#element.querySelector(".detail-head").replaceWith(this.#title());
      return;
    }
    this.#tab = tabs.some(([name]) => name === tab) ? tab : "overview";
    this.#draw();
  }

  /** Says why there is nothing to show. */
  refuse(sentence) {
    this.clear();
    fill(this.#element, this.#head(el("h2", {}, "Not to be shown")), el("p", { class: "problem" }, sentence));
  }

  /** Forgets the exchange. */
  clear() {
    this.#endBodies();
    this.#decoded?.end();
    this.#decoded = null;
    this.#exchange = null;
    this.#told = "";
    this.#element.textContent = "";
  }

  #draw() {
    this.#endBodies();
    const exchange = this.#exchange;
    const buttons = this.#tabs().map(([name, title]) => el("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": String(name === this.#tab),
      tabindex: name === this.#tab ? "0" : "-1", onclick: () => this.#pick(name),
    }, title));
    const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the exchange" }, buttons);
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const known = this.#tabs();
      const at = known.findIndex(([name]) => name === this.#tab);
      this.#pick(known[(at + step + known.length) % known.length][0]);
      this.#element.querySelector("[role=tab][aria-selected=true]").focus();
    });
    fill(this.#element,
      this.#title(),
      this.#decoded.alarm,
      list,
      el("div", { id: "panel", class: "panel", role: "tabpanel", tabindex: "0", "aria-labelledby": `tab-${this.#tab}` }, this.#panel()),
    );
  }

  /** The parts there are: messages only where there is a stream of them. */
  #tabs() {
    const { protocol, messageCounts } = this.#exchange;
    const hasMessages = protocol === "WebSocket" || messageCounts.request + messageCounts.response > 0;
    return tabs.filter(([name]) => name !== "messages" || hasMessages || this.#tab === "messages");
  }

  #title() {
    const exchange = this.#exchange;
    return this.#head(el("h2", { class: tone(exchange) },
      el("span", { class: "code" }, codeText(exchange)), " ",
      el("span", { class: "method" }, exchange.method || "–"), " ",
      el("span", { class: "address" }, url(exchange))));
  }

  #head(title) {
    const isRepeatable = this.#exchange && !["tunnelled", "pending"].includes(this.#exchange.outcome);
    return el("header", { class: "detail-head" }, title,
      el("div", { class: "actions" },
        this.#exchange && copyButton(() => url(this.#exchange), "Copy URL"),
        isRepeatable && this.#canReplay && el("button", { type: "button", class: "button small", onclick: (event) => this.#replay(event.target) }, "Replay"),
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

  #panel() {
    const exchange = this.#exchange;
    switch (this.#tab) {
      case "decoded": return this.#decoded.element;
      case "request": return this.#message("request", exchange.request);
      case "response": return exchange.response
        ? [interim(exchange), this.#message("response", exchange.response), own(exchange)]
        : [el("p", { class: "quiet" }, exchange.outcome === "pending" ? "No response yet." : "No response came."), interim(exchange), own(exchange)];
      case "messages": return this.#stream(exchange);
      case "timing": return timingView(exchange);
      case "connection": return [peer("Client", exchange.clientConnection), peer("Upstream", exchange.upstreamConnection)];
      default: return this.#overview(exchange);
    }
  }

  #overview(exchange) {
    const { request, response, failure } = exchange;
    return [
      failure && el("section", { class: "failure" },
        el("h3", {}, `Failed: ${failure.cause}`), el("p", {}, failure.message),
        el("p", { class: "quiet" }, `Side: ${failure.side} · phase: ${failure.phase} · `
          + (failure.retry ? "sending it again is safe" : "the request may have had an effect"))),
      exchange.warnings?.map((warning) => el("p", { class: "problem" }, warning)),
      facts([
        ["Exchange", String(exchange.id)],
        ["Started", fullTime(exchange.started)],
        ["Duration", exchange.durationMs === null ? "still open" : duration(exchange.durationMs)],
        ["Outcome", exchange.outcome],
        ["Method", exchange.method || "–"],
        ["Code", response ? startLine(response.head).replace(/^\S+ /, "") : codeText(exchange)],
        ["Scheme", exchange.scheme ?? "none"],
        ["Host", exchange.port ? `${exchange.host}:${exchange.port}` : exchange.host],
        ["Target", exchange.target],
        ["Protocol", protocol(exchange)],
        ["Client", exchange.client],
        ["Lens", exchange.lens],
        ["Process", exchange.process],
        ["Media type", exchange.type],
        ["Request body", measure(request)],
        ["Response body", response && measure(response)],
        ["Session", exchange.session],
        ["Messages", counted(exchange.messageCounts)],
        ["Replay of", exchange.replayOf && el("a", { href: `/exchanges/${exchange.replayOf}`, onclick: (event) => {
          event.preventDefault();
          this.#on.choose(exchange.replayOf);
        } }, `exchange ${exchange.replayOf}`)],
      ]),
      marksView(exchange, this.#on.notice),
      parameters(exchange.target),
    ];
  }

  #message(side, message) {
    const contentType = value(message.fields, "content-type");
    const type = contentType?.split(";")[0].trim().toLowerCase() ?? "";
    const isFrames = this.#exchange.protocol === "WebSocket";
    const body = isFrames ? null : new BodyView(this.#exchange.id, side, { ...message, contentType, type });
    if (body) this.#bodies.push(body);
    return el("div", {},
      head(side === "request" ? "Head as the client sent it" : "Head as the upstream sent it", message.head, message.sentHead, "removed"),
      message.sentHead && head(side === "request" ? "Head as sent upstream" : "Head as the client got it", message.sentHead, message.head, "added"),
      message.trailers?.length > 0 && el("section", {}, el("h3", {}, "Trailers"),
        el("pre", { class: "head" }, message.trailers.map(([name, text]) => [el("b", {}, name), `: ${text}\n`]))),
      el("section", {}, el("h3", {}, "Body"),
        body?.element ?? el("p", { class: "quiet" }, `${bytes(message.body.size)} of WebSocket frames; the messages are under Messages.`)));
  }

  #stream(exchange) {
    this.#messages = new MessagesView(exchange.id);
    return this.#messages.element;
  }

  #endBodies() {
    for (const body of this.#bodies) body.end();
    this.#bodies = [];
    this.#messages?.end();
    this.#messages = null;
  }
}

const startLine = (head) => head.split(/\r?\n/, 1)[0];
const value = (fields, name) => fields.find(([one]) => one.toLowerCase() === name)?.[1];

function protocol({ protocol, upstreamProtocol }) {
  if (!protocol || protocol === upstreamProtocol || !upstreamProtocol) return protocol ?? upstreamProtocol;
  return `${protocol} from the client, ${upstreamProtocol} to the upstream`;
}

function measure({ body }) {
  if (!body.size) return "none";
  const coding = body.codings?.length ? ` (${body.codings.join(" + ")})` : "";
  return `${bytes(body.size)}${body.size > 999 ? `, ${count(body.size)} bytes` : ""}${coding}`;
}

const counted = ({ request, response }) => request + response > 0 ? `${count(request)} sent, ${count(response)} received` : null;

function facts(pairs) {
  const known = pairs.filter(([, text]) => text !== null && text !== undefined && text !== "");
  return el("dl", { class: "facts" }, known.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
}

function parameters(target) {
  const cut = target.indexOf("?");
  const pairs = cut < 0 ? [] : target.slice(cut + 1).split("&").filter(Boolean).map((pair) => {
    const equals = pair.indexOf("=");
    return equals < 0 ? [pair, null] : [pair.slice(0, equals), pair.slice(equals + 1)];
  });
  if (!pairs.length) return null;
  return el("section", {}, el("h3", {}, "Query"), el("table", { class: "fields" }, el("tbody", {},
    pairs.map(([name, text]) => el("tr", {}, el("th", { scope: "row" }, readable(name)),
      el("td", {}, text === null ? el("i", {}, "no value") : readable(text)))))));
}

function readable(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A head, line for line as it was; lines that the other head lacks get the mark. */
function head(title, text, other, mark) {
  const known = new Set(other?.split(/\r?\n/) ?? []);
  const lines = text.replace(/(\r?\n)+$/, "").split(/\r?\n/);
  return el("section", {}, el("h3", {}, title), el("div", { class: "corner" }, copyButton(text)),
    el("pre", { class: "head" }, lines.map((line, index) => {
      const colon = index === 0 ? -1 : line.indexOf(":");
      const parts = colon < 0 ? [line] : [el("b", {}, line.slice(0, colon)), line.slice(colon)];
      return el("span", { class: `${index === 0 ? "start" : ""} ${other && !known.has(line) ? mark : ""}` }, parts, "\n");
    })));
}

const interim = ({ interim }) => interim?.map((one) => head("Interim response", one.head)) ?? [];

function own({ ownResponse }) {
  return ownResponse && el("section", {}, el("h3", {}, "What the proxy answered in the upstream's place"), el("pre", { class: "head" }, ownResponse));
}

function peer(title, connection) {
  const tls = connection?.tls;
  return el("section", {}, el("h3", {}, title),
    connection ? facts([
      ["Address", connection.address || "unknown"],
      ["Connection", connection.connection === undefined ? null : `number ${connection.connection} of this run`],
      ["TLS", tls ? tls.version : "none"],
      ["Server name", tls?.serverName],
      ["ALPN", tls?.alpn],
    ]) : el("p", { class: "quiet" }, "None was reached."),
    tls?.certificates?.map((pem, index) => el("details", {},
      el("summary", {}, index === 0 ? "Certificate" : `Issuer ${index}`), el("div", { class: "corner" }, copyButton(pem)), el("pre", { class: "text" }, pem))));
}
