import { el } from "./dom.js";
import { duration } from "./format.js";

const phases = [
  ["blockedMs", "Waiting for a connection"], ["dnsMs", "Name lookup"], ["connectMs", "TCP connect"], ["tlsMs", "TLS handshake"],
  ["sendMs", "Sending the request"], ["waitMs", "Waiting for the response"], ["receiveMs", "Receiving the response"],
];
const ticks = 2;

/** The phases of an exchange as bars on one axis, one after the other, with when each began and how long it took. */
export function timingView(exchange) {
  const known = phases.filter(([key]) => exchange.timings[key] !== null && exchange.timings[key] !== undefined);
  const sum = known.reduce((total, [key]) => total + exchange.timings[key], 0);
  const whole = Math.max(exchange.durationMs ?? 0, sum) || 1;
  let start = 0;
  const rows = known.map(([key, title]) => {
    const length = exchange.timings[key];
    const bar = el("span", { class: `phase phase-${key}` });
    bar.style.marginLeft = `${(100 * start) / whole}%`;
    bar.style.width = `${Math.max(0.4, (100 * length) / whole)}%`;
    const row = el("tr", {}, el("th", { scope: "row" }, title), el("td", { class: "number start" }, duration(start)),
      el("td", { class: "track", "aria-hidden": "true" }, bar), el("td", { class: "number" }, duration(length)));
    start += length;
    return row;
  });
  return el("div", {},
    el("table", { class: "timing" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Phase"), el("th", { scope: "col", class: "number start" }, "Begins"), axis(whole),
        el("th", { scope: "col", class: "number" }, "Takes"))),
      el("tbody", {}, rows,
        el("tr", { class: "sum" }, el("th", { scope: "row" }, "Whole"), el("td", { class: "start" }), el("td"),
          el("td", { class: "number" }, exchange.durationMs === null ? "still open" : duration(exchange.durationMs))))),
    known.length > 0 && el("p", { class: "quiet" }, reuse(exchange)),
    known.length === 0 && el("p", { class: "quiet" }, "No phase has been measured."),
  );
}

/** What the connection cost. */
function reuse({ timings, scheme, upstreamProtocol }) {
  if (timings.connectMs !== null && timings.connectMs !== undefined) {
    const spent = (timings.dnsMs ?? 0) + timings.connectMs + (timings.tlsMs ?? 0);
    return `The exchange opened a new connection, which took ${duration(spent)}. `
      + "An exchange on an open connection needs no name lookup, connect or handshake.";
  }
  const shared = upstreamProtocol === "HTTP/2" ? " HTTP/2 carries many exchanges over one at a time." : "";
  const handshake = scheme === "https" || scheme === "wss" ? ", connect and handshake" : " and connect";
  return `The exchange used an open connection, which saved name lookup${handshake}.${shared}`;
}

function axis(whole) {
  const marks = Array.from({ length: ticks + 1 }, (_, index) => {
    const mark = el("span", {}, duration((whole * index) / ticks));
    mark.style.left = `${(100 * index) / ticks}%`;
    return mark;
  });
  return el("td", { class: "track", "aria-hidden": "true" }, el("div", { class: "time-axis" }, marks));
}
