import { el } from "./dom.js";
import { bytes, codeText, count, duration, fullTime } from "./format.js";
import { marksView } from "./marks.js";
import { failureView } from "./problems.js";
import { facts, pairs, query } from "./tables.js";

/** The exchange at a glance: how it ended, who spoke to whom, what was asked, and what people say of it. */
export function summaryView(exchange, { on }) {
  const { request, response } = exchange;
  return el("div", {},
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
      ["Process", exchange.process],
      ["Media type", exchange.type],
      ["Request body", measure(request)],
      ["Response body", response && measure(response)],
      ["SHA-256 of it", response?.body.sha256],
      ["Session", exchange.session],
      ["Messages", counted(exchange.messageCounts)],
      ["Replay of", exchange.replayOf && el("a", { href: `/exchanges/${exchange.replayOf}`, onclick: (event) => {
        event.preventDefault();
        on.choose(exchange.replayOf);
      } }, `exchange ${exchange.replayOf}`)],
    ]),
    marksView(exchange, on.notice),
    pairs("Query", query(exchange.target)));
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

const counted = ({ request, response }) => request + response > 0 ? `${count(request)} sent, ${count(response)} received` : null;
