import { el } from "./dom.js";
import { duration } from "./format.js";

const phases = [
  ["blockedMs", "Waiting for a connection"], ["dnsMs", "Name lookup"], ["connectMs", "TCP connect"], ["tlsMs", "TLS handshake"],
  ["sendMs", "Sending the request"], ["waitMs", "Waiting for the response"], ["receiveMs", "Receiving the response"],
];

/** The phases of an exchange as bars, one after the other. */
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
    start += length;
    return el("tr", {}, el("th", { scope: "row" }, title), el("td", { class: "track", "aria-hidden": "true" }, bar),
      el("td", { class: "number" }, duration(length)));
  });
  return el("div", {},
    el("table", { class: "timing" }, el("tbody", {}, rows,
      el("tr", { class: "sum" }, el("th", { scope: "row" }, "Whole"), el("td"),
        el("td", { class: "number" }, exchange.durationMs === null ? "still open" : duration(exchange.durationMs))))),
    !known.some(([key]) => key === "connectMs") && known.length > 0
      && el("p", { class: "quiet" }, "No new connection was made: an open one was used again."),
    known.length === 0 && el("p", { class: "quiet" }, "No phase has been measured."),
  );
}
