import { copyButton, el } from "./dom.js";

/** What an empty store shows: how to send the first request here. */
export function welcome(instance) {
  const { proxy, caFile, caFingerprint } = instance;
  const isAnyAddress = /^(0\.0\.0\.0|\[::\]):/.test(proxy);
  const near = isAnyAddress ? proxy.replace(/^.*:/, "127.0.0.1:") : proxy;
  const file = `'${caFile.replaceAll("'", "'\\''")}'`;
  return el("div", { class: "welcome" },
    el("h2", {}, "Nothing recorded yet"),
    el("p", {}, "Send traffic through the proxy at ", el("code", {}, near), " and it appears here at once."),
    step("One request with curl", [`curl --proxy http://${near} \\`, `  --cacert ${file} \\`, "  https://example.com/"]),
    step("Everything a shell starts", [
      `export http_proxy=http://${near}`, `export https_proxy=http://${near}`, `export SSL_CERT_FILE=${file}`,
    ]),
    step("A browser, a phone, another machine", ["inspect ca"],
      `Set its HTTP and HTTPS proxy to ${near}; this command says how to make it trust the certificate.`),
    step("No client at hand? See it work by itself", ["inspect demo"]),
    caFingerprint && el("p", { class: "quiet" }, "Root certificate, SHA-256: ", el("code", {}, caFingerprint)),
  );
}

/** What a filter that matches nothing shows. */
export function nothing(total, clear) {
  return el("div", { class: "welcome" },
    el("h2", {}, "No exchange matches"),
    el("p", {}, total === 1 ? "The one exchange recorded is left out by the filter." : `All ${total} exchanges are left out by the filter.`),
    el("button", { type: "button", class: "button", onclick: clear }, "Clear the filter"));
}

function step(title, lines, note) {
  const text = lines.join("\n");
  return el("section", {}, el("h3", {}, title), note && el("p", {}, note),
    el("div", { class: "command" }, el("pre", {}, text), copyButton(text)));
}
