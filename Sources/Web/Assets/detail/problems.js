import { CertificateChain, isOfCertificate } from "./connection.js";
import { el, fill } from "./dom.js";
import { count } from "./format.js";
import { isMissing } from "./recording.js";
import { RemedyView } from "./remedy.js";

/** Why an exchange failed, or how its client went away; null where it ended otherwise. */
export function failureView({ failure, outcome }) {
  const isCancelled = outcome === "cancelled";
  return failure && el("section", { class: isCancelled ? "failure cancelled" : "failure" },
    el("h3", {}, `${isCancelled ? "Cancelled" : "Failed"}: ${failure.cause}`), el("p", {}, failure.message),
    el("p", { class: "quiet" }, `Side: ${failure.side} · phase: ${failure.phase} · `
      + (failure.retry ? "sending it again is safe" : "the request may have had an effect")));
}

/** 1 where an exchange failed, 0 else: a client that goes away is no problem. */
const hasFailed = ({ failure, outcome }) => (failure && outcome !== "cancelled" ? 1 : 0);

/** The problems that are known without a lens, each as [what, why]. */
function known(exchange, gaps) {
  const found = (exchange.warnings ?? []).map((warning) => ["Odd", warning]);
  for (const side of ["request", "response"]) {
    const body = exchange[side]?.body;
    if (body?.truncated) found.push([`The ${side}'s body is not whole`, `${count(body.kept)} of ${count(body.size)} bytes were kept.`]);
  }
  const begun = exchange.startedMicroseconds / 1000;
  const ended = begun + (exchange.durationMs ?? 0);
  for (const gap of gaps.filter(isMissing)) {
    if (Date.parse(gap.from) > ended || Date.parse(gap.to) < begun) continue;
    found.push(["Exchanges are missing", `While this exchange ran, ${count(gap.count)} could not be recorded: ${gap.cause}.`]);
  }
  return found;
}

/** The problems of an exchange: its failure, warnings, missing parts, and the findings of its lens. */
export class ProblemsTab {
  #known;
  #chain = null;
  #findings = el("div", { class: "decoded" });
  #none = el("p", { class: "quiet", hidden: true }, "No problem is known.");
  element;
  /** The number of problems, without findings. */
  count;

  constructor(exchange, { gaps, decoded, canPass }) {
    this.#known = known(exchange, gaps ?? []);
    this.count = this.#known.length + hasFailed(exchange);
    if (isOfCertificate(exchange.failure) && exchange.upstreamConnection?.tls?.certificates?.length) this.#chain = new CertificateChain(exchange);
    this.element = el("div", {},
      failureView(exchange), new RemedyView(exchange, { canPass }).element ?? "", this.#chain?.element, this.#list(), this.#findings, this.#none);
    this.#show(decoded);
  }

  /** Stops the work that is under way. */
  end() { this.#chain?.end(); }

  async #show(decoded) {
    const { findings, element, failure } = await decoded.findings();
    fill(this.#findings, failure && el("p", { class: "alarm" }, el("b", {}, "Failed inside: "), failure), element);
    this.#none.hidden = this.count > 0 || findings.length > 0 || Boolean(failure);
  }

  #list() {
    return this.#known.map(([what, why]) => el("section", {}, el("h3", {}, what), el("p", { class: "problem" }, why)));
  }
}

/** The number of problems that are known without a lens. */
export const problemCount = (exchange, gaps) => known(exchange, gaps ?? []).length + hasFailed(exchange);
