import * as api from "./api.js";
import { copyButton, el, fill } from "./dom.js";
import { fullTime } from "./format.js";
import { facts, processText } from "./tables.js";

/** The certificates that an exchange's upstream showed, leaf first; the facts that failed a check are marked. */
export class CertificateChain {
  #abort = new AbortController();
  element = el("div", {});

  /** `cause` is that of the exchange's failure, where it failed. */
  constructor({ id, failure, upstreamConnection }) {
    const texts = upstreamConnection?.tls?.certificates ?? [];
    if (texts.length) this.#load(id, texts, failure?.cause ?? null);
  }

  /** Stops the work that is under way. */
  end() { this.#abort.abort(); }

  async #load(id, texts, cause) {
    try {
      const { certificates } = await api.get(`exchanges/${id}/certificates`, { signal: this.#abort.signal });
      const refused = refusedIndex(certificates, cause);
      fill(this.element, certificates.map((one, index) => certificate(one, texts[index], index, index === refused ? checks[cause] : null)));
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(this.element, el("p", { class: "problem" }, error.message), texts.map((text, index) => certificate({}, text, index)));
    }
  }
}

/** The facts that a failed check of a certificate is about, and a sentence on it, by the failure's cause. */
const checks = {
  "certificate-expired": { facts: ["Valid to"], says: "It has expired." },
  "certificate-not-yet-valid": { facts: ["Valid from"], says: "It is not valid yet." },
  "certificate-name": { facts: ["Names", "Subject"], says: "It does not name the host that was asked for." },
  "certificate-self-signed": { facts: ["Issuer"], says: "It is signed by itself, not by an issuer that this machine trusts." },
  "certificate-unknown-issuer": { facts: ["Issuer"], says: "This machine does not trust its issuer, or the certificate is not fit for a server." },
  "certificate-weak": { facts: ["Key", "Signature"], says: "Its key or its signature is too weak." },
  "certificate-must-staple": { facts: [], says: "It demands a stapled OCSP response." },
  "own-root": { facts: ["Issuer"], says: "It is signed by this proxy's own root." },
};

/** Whether a failure is that of a certificate. */
export const isOfCertificate = (failure) => Boolean(failure) && (failure.cause.startsWith("certificate") || failure.cause === "own-root");

/** The certificate of a chain that a check stopped at. */
function refusedIndex(certificates, cause) {
  if (!Object.hasOwn(checks, cause ?? "")) return -1;
  const now = Date.now();
  const found = {
    "certificate-expired": ({ notAfter }) => Date.parse(notAfter) < now,
    "certificate-not-yet-valid": ({ notBefore }) => Date.parse(notBefore) > now,
  }[cause];
  // The certificate whose issuer did not come is the last.
  if (cause === "certificate-unknown-issuer") return certificates.length - 1;
  return Math.max(0, found ? certificates.findIndex(found) : 0);
}

/** Both connections of an exchange: addresses, the result of TLS, and the certificates that the upstream showed. */
export class ConnectionTab {
  #chain;
  element;

  constructor(exchange) {
    const { clientConnection: client, upstreamConnection: upstream } = exchange;
    this.#chain = new CertificateChain(exchange);
    this.element = el("div", {},
      peer("Client", client, "The client saw a certificate that this proxy made for the name."),
      peer("Upstream", upstream, null),
      this.#chain.element);
  }

  /** Stops the work that is under way. */
  end() { this.#chain.end(); }
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
    ]) : el("p", { class: "quiet" }, "No upstream was reached."),
    tls && remark && el("p", { class: "quiet" }, remark));
}

function certificate({ subject, issuer, names, notBefore, notAfter, serial, sha256, key, signature }, text, index, refused = null) {
  const now = Date.now();
  const isExpired = notAfter && Date.parse(notAfter) < now;
  const isEarly = notBefore && Date.parse(notBefore) > now;
  const rows = [
    ["Subject", subject || "none"],
    ["Names", names?.length > 0 && el("ul", { class: "names" },
      names.slice(0, 100).map((name) => el("li", {}, name)), names.length > 100 && el("li", {}, `and ${names.length - 100} more`))],
    ["Issuer", issuer],
    ["Valid from", notBefore && el("span", { class: isEarly && "bad" }, fullTime(notBefore), isEarly && " (not yet)")],
    ["Valid to", notAfter && el("span", { class: isExpired && "bad" }, fullTime(notAfter), isExpired && " (has expired)")],
    ["Serial number", serial],
    ["Key", key],
    ["Signature", signature],
    ["SHA-256", sha256],
  ];
  return el("section", { class: "certificate" },
    el("h3", {}, index === 0 ? "Certificate of the upstream" : `Issuer ${index}`),
    refused && el("p", { class: "problem refused" }, refused.says),
    subject === undefined ? el("p", { class: "quiet" }, "The certificate could not be read.")
      : facts(rows.map(([name, value]) => [name, value && refused?.facts.includes(name) ? el("mark", { class: "refused" }, value) : value])),
    el("details", {}, el("summary", {}, "PEM"), el("div", { class: "corner" }, copyButton(text)), el("pre", { class: "text" }, text)));
}
