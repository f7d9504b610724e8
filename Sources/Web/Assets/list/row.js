import { addressColumn, column, durationText } from "./columns.js";
import { el } from "./dom.js";
import { tone } from "./format.js";

/** The cells of a row in lines, whatever the columns of the table. */
export const lineColumns = [column.code, column.method, column.time, column.duration, addressColumn];

/** The cells of a card, whatever the columns of the table. */
export const cardColumns = ["code", "method", "path", "duration", "host", "time", "type", "size"].map((name) => column[name]);

/** The element of a row. */
export function rowElement(row, columns, { isChosen, isMarked }) {
  const element = el("tr", { id: `row-${row.id}`, role: "row", "data-id": row.id, class: tone(row), "aria-selected": String(isChosen) },
    columns.map((one) => el("td", { role: "gridcell", class: `cell-${one.name}`, title: one.hint?.(row) || null }, one.cell(row))));
  element.classList.toggle("odd", row.id % 2 === 1);
  mark(element, isMarked);
  return element;
}

/** Shows whether a row is marked. */
export function mark(element, isMarked) {
  element.classList.toggle("marked", isMarked);
  const sign = element.querySelector(".sign");
  if (isMarked && !sign) element.firstChild?.prepend(el("span", { class: "sign", role: "img", "aria-label": "Marked" }, "✓"));
  else if (!isMarked) sign?.remove();
}

/** A placeholder for a row that is not held yet. */
export function placeholder(columns) {
  return el("tr", { role: "row", class: "placeholder", "aria-busy": "true" },
    columns.map((one) => el("td", { role: "gridcell", class: `cell-${one.name}` }, el("span", { class: "ghost" }))));
}

/** Updates the duration of an open exchange. */
export function tick(element, row) {
  const cell = element.querySelector(".cell-duration");
  if (cell) cell.textContent = durationText(row);
}

/** The stretch of time that rows cover: the start and the length of their waterfall, in milliseconds. */
export function axis(rows) {
  let [from, to] = [Infinity, -Infinity];
  for (const row of rows) {
    const start = Date.parse(row.started);
    from = Math.min(from, start);
    to = Math.max(to, start + length(row));
  }
  return { from, span: Math.max(1, to - from) };
}

/** Places a row's bar on the axis: the time of waiting, then the time of receiving. */
export function place(element, row, { from, span }) {
  const bar = element.querySelector(".fall");
  if (!bar) return;
  const whole = length(row);
  const received = Math.min(whole, row.receiveMs ?? 0);
  const percent = (ms) => `${((100 * ms) / span).toFixed(3)}%`;
  bar.style.left = percent(Date.parse(row.started) - from);
  bar.style.width = percent(whole);
  bar.firstChild.style.flexGrow = String(Math.max(0.001, whole - received));
  bar.lastChild.style.flexGrow = String(received);
}

function length(row) { return row.outcome === "pending" ? Math.max(0, Date.now() - Date.parse(row.started)) : row.durationMs ?? 0; }
