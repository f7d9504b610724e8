import { word } from "./choices.js";
import { byId } from "./dom.js";
import { valueText } from "./format.js";
import { Menu } from "./menu.js";

// Characters of a value that an entry shows.
const shownLength = 60;

/** The value of an exchange in the category of codes. */
const codeOf = ({ code, outcome }) => (code !== null ? String(code) : outcome === "completed" ? "none" : outcome);

/** The values of an exchange that a filter takes, each after its category or key; a column has the same name. */
const valuesOf = (row) => [
  ["host", row.host], ["method", row.method], ["code", codeOf(row)], ["type", row.type], ["path", row.target.split("?", 1)[0]],
  ["scheme", row.scheme], ["process", row.process], ["client", row.client], ["lens", row.lens],
  ...(row.ruleNames ?? []).map((name) => ["rule", name]),
].filter(([, value]) => value);

/** The menu that makes a value of an exchange the filter, at a row or in the detail. */
export class FilterMenu {
  #choices;
  #exchange = null;
  #menu = new Menu("Filter by a value", () => this.#items(), { isPopup: true });

  constructor({ choices }) {
    this.#choices = choices;
    byId("main").append(this.#menu.element);
  }

  /** Opens the menu at a point of the window, on the entry of a value where it has one of that name, or else on the host's. */
  open(exchange, { x, y, name = "host" }) {
    this.#exchange = exchange;
    const at = valuesOf(exchange).findIndex(([one]) => one === name);
    // Leaving the host out comes second.
    this.#menu.openAt(x, y, at <= 0 ? 0 : at + (exchange.host ? 1 : 0));
  }

  /** Wants the exchanges of this exchange's host alone. */
  onlyHost({ host }) { if (host) this.#choices.only("host", host); }

  #items() {
    const { host } = this.#exchange;
    return [
      ...(host ? [
        { label: `Only host ${shortened(host)}`, hint: "o", run: () => this.onlyHost(this.#exchange) },
        { label: `Leave out host ${shortened(host)}`, run: () => this.#choices.exclude("host", host) },
        null,
      ] : []),
      ...valuesOf(this.#exchange).filter(([name]) => name !== "host").map(([name, value]) => ({
        label: name === "path" ? `Only paths with ${shortened(value)}` : `Only ${name} ${shortened(valueText(name, value))}`,
        run: () => (name === "path" ? this.#choices.add(`path:${word("path", value)}`) : this.#choices.only(name, value)),
      })),
    ];
  }
}

const shortened = (text) => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
