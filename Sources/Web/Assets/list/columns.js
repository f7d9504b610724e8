import { el } from "./dom.js";
import * as format from "./format.js";
import { rowMarks } from "./marks.js";
import * as preferences from "./preferences.js";

const least = 44;
const most = 900;

/** Pixels that a time of day takes, and with its date. */
const timeWidths = [112, 160];

/** Pixels that the path keeps before other columns give way, in so much room. */
const leastPath = (room) => Math.min(420, Math.max(160, 0.23 * room));

/**
 * Every column, from left to right.
 *
 * `sort` is the value that the server ranks by, `falls` whether people look for its greatest value first, `rank` how early a column is dropped where
 * there is no room (the greatest first; without a rank never), `cell` the content for a row.
 */
const all = [
  { name: "id", title: "#", width: 68, rank: 6, sort: "", cell: (row) => String(row.id) },
  {
    name: "time", title: "Time", width: timeWidths[0], rank: 3, sort: "",
    cell: (row) => format.time(row.started), hint: (row) => format.fullTime(row.started),
  },
  { name: "method", title: "Method", width: 78, sort: "method", cell: (row) => row.method || "–" },
  { name: "scheme", title: "Scheme", width: 66, rank: 10, sort: "scheme", cell: (row) => row.scheme ?? "" },
  {
    name: "host", title: "Host", width: 190, rank: 1, sort: "host",
    cell: (row) => row.host || "–", hint: (row) => (row.port ? `${row.host}:${row.port}` : row.host),
  },
  { name: "path", title: "Path", cell: path, hint: (row) => row.target },
  { name: "code", title: "Code", width: 100, sort: "code", cell: code, hint: (row) => row.failure?.message ?? row.outcome },
  { name: "type", title: "Type", width: 84, rank: 9, sort: "type", cell: (row) => format.shortType(row.type), hint: (row) => row.type ?? "" },
  { name: "protocol", title: "Protocol", width: 84, rank: 15, sort: "version", cell: (row) => row.protocol ?? "" },
  { name: "client", title: "Client", width: 120, rank: 14, sort: "client", cell: (row) => row.client ?? "", hint: (row) => row.client ?? "" },
  { name: "process", title: "Process", width: 100, rank: 17, sort: "process", cell: (row) => row.process ?? "", hint: (row) => row.process ?? "" },
  { name: "lens", title: "Lens", width: 90, rank: 13, sort: "lens", cell: (row) => row.lens ?? "" },
  { name: "session", title: "Session", width: 100, rank: 16, cell: (row) => row.session ?? "", hint: (row) => row.session ?? "" },
  { name: "sent", title: "Sent", width: 78, rank: 12, sort: "reqsize", falls: true, cell: (row) => format.bytes(row.requestBytes) },
  { name: "size", title: "Size", width: 78, rank: 4, sort: "size", falls: true, cell: (row) => format.bytes(row.responseBytes),
    hint: (row) => `${format.count(row.requestBytes)} bytes sent, ${format.count(row.responseBytes)} received` },
  { name: "messages", title: "Messages", width: 96, rank: 11, cell: messages },
  { name: "duration", title: "Duration", width: 88, sort: "duration", falls: true, cell: (row) => durationText(row) },
  { name: "waterfall", title: "Waterfall", width: 150, grows: 0.3, rank: 5, cell: waterfall },
];

const usual = ["id", "time", "method", "host", "path", "code", "type", "size", "duration", "waterfall"];

/** The columns by name. */
export const column = Object.fromEntries(all.map((one) => [one.name, one]));

/** Host, path and marks as one text, for a row without columns; the target of a CONNECT is its authority already. */
export const addressColumn = {
  name: "address", cell: (row) => [row.target.startsWith("/") && el("span", { class: "host" }, row.host), path(row)], hint: (row) => format.url(row),
};

/** The text of the duration column; for an open exchange the time so far. */
export function durationText(row) {
  return row.outcome === "pending" ? `${format.duration(Math.max(0, Date.now() - Date.parse(row.started)))}…` : format.duration(row.durationMs);
}

/** The messages of a stream as marks; null where there are none. */
export function messageMark({ messageCounts }) {
  if (!messageCounts || messageCounts.request + messageCounts.response === 0) return null;
  const { request, response } = messageCounts;
  const says = `${format.counted(request, "message")} from the client, ${format.count(response)} from the upstream`;
  return el("span", { class: "messages-mark", title: says, role: "img", "aria-label": says }, `↑${format.count(request)} ↓${format.count(response)}`);
}

/** The columns of the table and their widths; remembered. Says `changed`. */
export class Columns extends EventTarget {
  #chosen = preferences.get("columns", usual).filter((name) => Object.hasOwn(column, name));
  #widths = preferences.get("widths", {});
  #timeWidth = timeWidths[0];

  /** Every column, for the menu. */
  get all() { return all; }

  has(name) { return name === "path" || this.#chosen.includes(name); }

  /** Adds a column, or removes it. */
  toggle(name) {
    this.#chosen = this.has(name) ? this.#chosen.filter((one) => one !== name) : [...this.#chosen, name];
    preferences.set("columns", this.#chosen);
    this.#tell();
  }

  /** The usual columns at their usual widths. */
  reset() {
    [this.#chosen, this.#widths] = [usual, {}];
    preferences.set("columns", null);
    preferences.set("widths", null);
    this.#tell();
  }

  /** Makes room for the time of an exchange, with its date where that is shown; never takes room back. */
  cover(started) {
    if (this.#timeWidth === timeWidths[1] || new Date(started).toDateString() === new Date().toDateString()) return;
    this.#timeWidth = timeWidths[1];
    this.#tell();
  }

  width(name) { return this.#widths[name] ?? (name === "time" ? this.#timeWidth : column[name].width); }

  /** Sets a width in pixels; null for the usual one. */
  resize(name, width) {
    if (width === null) delete this.#widths[name];
    else this.#widths[name] = Math.round(Math.min(most, Math.max(least, width)));
    preferences.set("widths", this.#widths);
    this.#tell();
  }

  /** The columns that fit, from left to right. */
  fitting(room) {
    const shown = all.filter(({ name }) => this.has(name));
    const giving = shown.filter(({ rank }) => rank).sort((a, b) => b.rank - a.rank);
    let needed = shown.reduce((sum, { name }) => sum + (name === "path" ? leastPath(room) : this.#least(name)), 0);
    const out = new Set();
    for (const one of giving) {
      if (needed <= room) break;
      out.add(one);
      needed -= this.#least(one.name);
    }
    return shown.filter((one) => !out.has(one));
  }

  /** The tracks of a grid for these columns. */
  template(columns) {
    return columns.map(({ name, grows }) => {
      if (name === "path") return "minmax(0, 1fr)";
      // Spare room goes to columns that are drawn to scale too, until the reader sets a width.
      return grows && !Object.hasOwn(this.#widths, name) ? `minmax(${this.width(name)}px, ${grows}fr)` : `${this.width(name)}px`;
    }).join(" ");
  }

  /** The width at which a column stays: no other column goes for the date. */
  #least(name) { return this.#widths[name] ?? column[name].width; }

  #tell() { this.dispatchEvent(new Event("changed")); }
}

function path(row) {
  const cut = row.target.indexOf("?");
  const { marks, tags } = rowMarks(row);
  return [
    el("span", { class: "path-text" },
      cut < 0 ? row.target : row.target.slice(0, cut), cut >= 0 && el("span", { class: "parameters" }, row.target.slice(cut))),
    messageMark(row),
    marks,
    el("span", { class: "row-tags" }, row.client && row.lens && el("span", { class: "tag", title: row.client }, row.lens), tags),
  ];
}

function code(row) {
  return [
    el("span", { class: "code" }, format.codeText(row)),
    row.outcome === "failed" && row.code !== null && el("span", { class: "mark", title: row.failure?.message ?? "failed" }, "!"),
    row.outcome === "cancelled" && row.code !== null && el("span", { class: "mark", title: row.failure?.message ?? "cancelled" }, "×"),
    row.replayOf && el("span", { class: "mark", title: `Replay of ${row.replayOf}` }, "↻"),
  ];
}

function messages(row) { return messageMark(row) ?? ""; }

function waterfall() {
  return el("span", { class: "fall", "aria-hidden": "true" }, el("span", { class: "fall-wait" }), el("span", { class: "fall-receive" }));
}
