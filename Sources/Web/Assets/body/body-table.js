import { el } from "./dom.js";
import { count, counted } from "./format.js";

const pageRows = 300;
const columnLimit = 60;

/** A form's fields as a table. */
export class FormView {
  element = el("div", { class: "wide" });

  constructor(text) {
    text.text().then((form) => {
      const rows = [...new URLSearchParams(form)];
      pages(this.element, [el("th", { scope: "col" }, "Name"), el("th", { scope: "col" }, "Value")], rows,
        ([name, value]) => [el("th", { scope: "row" }, name), el("td", {}, value)]);
    });
  }
}

/** A table of values that commas or tabs separate; the first row names the columns. */
export class TableView {
  element = el("div", { class: "wide" });

  constructor(text, type) {
    text.text().then((whole) => {
      const [names = [], ...rows] = records(whole, type.endsWith("csv") ? "," : "\t");
      const shown = names.slice(0, columnLimit);
      pages(this.element, shown.map((name) => el("th", { scope: "col" }, name)), rows,
        (row) => shown.map((_, index) => el("td", {}, row[index] ?? "")));
      if (names.length > columnLimit) {
        this.element.append(el("p", { class: "quiet" }, `${counted(names.length - columnLimit, "more column is", "more columns are")} left out.`));
      }
    });
  }
}

/** Rows of a table, some hundred at a time. */
function pages(place, head, rows, cells) {
  const body = el("tbody");
  const more = el("button", { type: "button", class: "button small" });
  const note = el("p", { class: "quiet" }, counted(rows.length, "row"));
  let shown = 0;
  const next = () => {
    body.append(...rows.slice(shown, shown + pageRows).map((row) => el("tr", {}, cells(row))));
    shown = Math.min(rows.length, shown + pageRows);
    more.textContent = `Show more of ${count(rows.length - shown)}`;
    more.hidden = shown === rows.length;
  };
  more.addEventListener("click", next);
  next();
  place.append(el("table", { class: "fields columns" }, el("thead", {}, el("tr", {}, head)), body), more, note);
}

/** The records of a text (RFC 4180): fields that may be quoted, with quotes doubled inside. */
function records(text, separator) {
  const found = [];
  let row = [];
  const field = separator === "," ? /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y : /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/y;
  for (let at = 0; at < text.length;) {
    field.lastIndex = at;
    const match = field.exec(text);
    if (!match) {
      // A stray quote: the rest of the line is one field as it stands.
      const end = text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
      found.push([...row, text.slice(at, end)]);
      row = [];
      at = end + 1;
      continue;
    }
    at = field.lastIndex;
    row.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] === separator) continue;
    found.push(row);
    row = [];
  }
  if (row.length) found.push([...row, ""]);
  return found;
}
