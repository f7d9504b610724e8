import * as api from "./api.js";
import { copyButton, el, fill } from "./dom.js";
import { fullTime } from "./format.js";
import { facts, processText } from "./tables.js";

/** Both connections of an exchange: addresses, what TLS settled, and the certificates that the upstream showed. */
export class ConnectionTab {
  #abort = new AbortController();
  element;

  constructor(exchange) {
    const { clientConnection: client, upstreamConnection: upstream } = exchange;
    const certificates = el("div", {});
    this.element = el("div", {},
      peer("Client", client, "The certificate it saw was made for the name by this proxy."),
      peer("Upstream", upstream, null),
      certificates);
    if (upstream?.tls?.certificates?.length) this.#load(exchange.id, upstream.tls.certificates, certificates);
  }

  /** Stops what is under way. */
  end() { this.#abort.abort(); }

  async #load(id, texts, place) {
    try {
      const { certificates } = await api.get(`exchanges/${id}/certificates`, { signal: this.#abort.signal });
      fill(place, certificates.map((one, index) => certificate(one, texts[index], index)));
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(place, el("p", { class: "problem" }, error.message), texts.map((text, index) => certificate({}, text, index)));
    }
  }
}

function peer(title, connection, remark) {
  const tls = connection?.tls;
  return el("section", {}, el("h3", {}, title),
    connection ? facts([
      ["Address", connection.address || "unknown"],
      ["Connection", connection.connection === undefined ? null : `number ${connection.connection} of this run`],
      ["Process", processText({ process: connection.process?.name, clientConnection: connection })],
      ["TLS", tls ? tls.version : "none"],
      ["Cipher", tls?.cipher],
      ["Server name", tls?.serverName],
      ["ALPN", tls ? tls.alpn ?? "none agreed" : null],
      ["ClientHello", connection.ja4 && `JA4 ${connection.ja4}${connection.looksLike ? `, looks like ${connection.looksLike}` : ""}`],
    ]) : el("p", { class: "quiet" }, "None was reached."),
    tls && remark && el("p", { class: "quiet" }, remark));
}

function certificate({ subject, issuer, names, notBefore, notAfter, serial, sha256, key, signature }, text, index) {
  const now = Date.now();
  const isExpired = notAfter && Date.parse(notAfter) < now;
  const isEarly = notBefore && Date.parse(notBefore) > now;
  return el("section", { class: "certificate" },
    el("h3", {}, index === 0 ? "Certificate of the upstream" : `Issuer ${index}`),
    subject === undefined ? el("p", { class: "quiet" }, "It could not be read.") : facts([
      ["Subject", subject || "none"],
      ["Names", names?.length > 0 && el("ul", { class: "names" }, names.slice(0, 100).map((name) => el("li", {}, name)), names.length > 100 && el("li", {}, `and ${names.length - 100} more`))],
      ["Issuer", issuer],
      ["Valid from", el("span", { class: isEarly && "bad" }, fullTime(notBefore), isEarly && " (not yet)")],
      ["Valid to", el("span", { class: isExpired && "bad" }, fullTime(notAfter), isExpired && " (has expired)")],
      ["Serial number", serial],
      ["Key", key],
      ["Signature", signature],
      ["SHA-256", sha256],
    ]),
    el("details", {}, el("summary", {}, "PEM"), el("div", { class: "corner" }, copyButton(text)), el("pre", { class: "text" }, text)));
}
