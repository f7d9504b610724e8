import { el, fill } from "./dom.js";
import { bytes, codeText, count, duration, fullTime } from "./format.js";
import { Marks } from "./marks.js";
import { failureView } from "./problems.js";
import { facts, pairs, processText, query } from "./tables.js";

/** The exchange at a glance: its outcome, both sides, the request, and its marks. */
export class SummaryView {
  #on;
  #marks;
  #facts = el("div", {});
  #query = el("div", {});
  element;

  constructor(exchange, { on }) {
    this.#on = on;
    this.#marks = new Marks(exchange, on.notice);
    this.element = el("div", {}, this.#facts, this.#marks.element, this.#query);
    this.#draw(exchange);
  }

  /** Shows the exchange as it is now; a note that somebody is writing stays. */
  refresh(exchange) {
    this.#marks.refresh(exchange);
    this.#draw(exchange);
  }

  #draw(exchange) {
    fill(this.#facts, summary(exchange, this.#on));
    fill(this.#query, pairs("Query", query(exchange.target)));
  }
}

function summary(exchange, on) {
  const { request, response } = exchange;
  return [
    failureView(exchange),
    exchange.warnings?.map((warning) => el("p", { class: "problem" }, warning)),
    facts([
      ["Exchange", String(exchange.id)],
      ["Started", fullTime(exchange.started)],
      ["Duration", exchange.durationMs === null ? "still open" : duration(exchange.durationMs)],
      ["Outcome", exchange.outcome],
      ["Method", exchange.method || "–"],
      ["Code", response ? response.head.split(/\r?\n/, 1)[0].replace(/^\S+ /, "") : codeText(exchange)],
      ["Scheme", exchange.scheme ?? "none"],
      ["Host", exchange.port ? `${exchange.host}:${exchange.port}` : exchange.host],
      ["Target", exchange.target],
      ["Protocol", protocol(exchange)],
      ["Client", exchange.client],
      ["Lens", exchange.lens],
      ["Process", processText(exchange)],
      ["Media type", exchange.type],
      ["Request body", measure(request)],
      ["Response body", response && measure(response)],
      ["SHA-256 of the body", response?.body.sha256],
      ["Session", exchange.session],
      ["Messages", counted(exchange.messageCounts)],
      ["Changed by", changes(exchange)],
      ["Other rules", otherRules(exchange)],
      ["Replay of", exchange.replayOf && el("a", { href: `/exchanges/${exchange.replayOf}`, onclick: (event) => {
        event.preventDefault();
        on.choose(exchange.replayOf);
      } }, `exchange ${exchange.replayOf}`)],
    ]),
  ];
}

function protocol({ protocol, upstreamProtocol }) {
  if (!protocol || protocol === upstreamProtocol || !upstreamProtocol) return protocol ?? upstreamProtocol;
  return `${protocol} from the client, ${upstreamProtocol} to the upstream`;
}

function measure({ body }) {
  if (!body.size) return "none";
  const coding = body.codings?.length ? ` (${body.codings.join(" + ")})` : "";
  return `${bytes(body.size)}${body.size > 999 ? `, ${count(body.size)} bytes` : ""}${coding}`;
}

/** Actions that change neither where a request goes, nor what is sent, nor what comes back. */
const harmless = new Set(["tag", "stop", "delay", "throttle"]);
const isChange = ({ action, what }) => what && !harmless.has(action);

/** The rules that changed the exchange, each with what it changed. */
const changes = ({ rules }) => rules?.filter(isChange).map(({ rule, what }) => `${rule} (${what})`).join(", ");

/** What rules did beside that, and why some changed nothing. */
const otherRules = ({ rules }) => rules?.filter((use) => !isChange(use) || use.note)
  .map(({ rule, action, what, note }) => `${rule}: ${[`${action} ${what}`.trim(), note].filter(Boolean).join(", ")}`).join("; ");

const counted = ({ request, response }) => request + response > 0 ? `${count(request)} sent, ${count(response)} received` : null;
