// The page's whole state in its address: /exchanges/42?q=path:/v2&code=500&code=404&since=15m#response

/** The places of the page beside the list, each at its own path, with what each keeps in its address beside the filter: no name of a category. */
const places = {
  exchanges: [],
  compare: ["left", "right", "ignore", "all", "learn"],
  findings: ["by", "severity", "search"],
  setup: [],
  facilities: ["at", "campus", "app", "show", "search"],
  meetings: ["day", "time", "kind", "zone", "search", "attended"],
  datasets: ["format", "topic", "issue", "label", "division", "refresh", "show", "order", "columns", "search"],
  menus: ["at", "day", "diet", "by", "plan", "search"],
  rules: [],
  manual: ["article"],
};

/** What an address carries beside the categories; any other key is one. */
const others = new Set(["q", "since", "before", "sort", "token", "pass"]);

/** A category's name for people. */
export const title = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** The values of a comma list; one with a comma itself stands in quotes. */
export function values(list) {
  const found = [];
  for (let rest = list; rest;) {
    const [part, quoted] = /^"((?:[^"\\]|\\.)*)"(?=,|$)/s.exec(rest) ?? [rest.split(",", 1)[0]];
    // Quotes without a comma inside were typed, and mean that the value is taken literally.
    found.push(quoted?.includes(",") ? quoted.replace(/\\(["\\])/g, "$1") : part);
    rest = rest.slice(part.length + 1);
  }
  return found.filter(Boolean);
}

/** A value as it stands in a comma list. */
const listed = (value) => (value.includes(",") && values(value)[0] !== value ? `"${value.replace(/["\\]/g, "\\$&")}"` : value);

/** Reads the address bar. */
export function read() {
  const parameters = new URLSearchParams(location.search);
  const path = /^\/(?:exchanges\/(\d+)|(\w+))?$/.exec(location.pathname) ?? [];
  // #response, or #response:/items/3 for a place in that body.
  const [tab, ...pointer] = location.hash.slice(1).split(":");
  const place = Object.hasOwn(places, path[2] ?? "") ? path[2] : "exchanges";
  const details = Object.fromEntries(places[place].filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)]));
  const selections = {};
  for (const name of new Set(parameters.keys())) {
    if (others.has(name) || Object.hasOwn(details, name)) continue;
    selections[name] = [...new Set(parameters.getAll(name).flatMap(values))];
  }
  return {
    place,
    details,
    text: parameters.get("q") ?? "",
    selections,
    since: parameters.get("since") ?? "",
    before: parameters.get("before") ?? "",
    sort: parameters.get("sort") ?? "",
    chosen: path[1] ? Number(path[1]) : null,
    tab,
    pointer: readable(pointer.join(":")),
  };
}

function readable(text) {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** The filter as the API takes it; empty where nothing is filtered. */
export function query(state) {
  const parameters = new URLSearchParams();
  if (state.text) parameters.set("q", state.text);
  for (const name of Object.keys(state.selections).sort()) {
    for (const value of state.selections[name]) parameters.append(name, listed(value));
  }
  if (state.since) parameters.set("since", state.since);
  if (state.before) parameters.set("before", state.before);
  return parameters.toString();
}

/** The address of a state. */
export function href(state) {
  const isList = state.place === "exchanges";
  const path = !isList ? `/${state.place}` : state.chosen === null ? "/" : `/exchanges/${state.chosen}`;
  const details = new URLSearchParams(places[state.place].filter((name) => state.details[name]).map((name) => [name, state.details[name]]));
  const sort = isList && state.sort ? `sort=${encodeURIComponent(state.sort)}` : "";
  const parameters = [query(state), sort, details.toString()].filter(Boolean).join("&");
  const pointer = state.pointer ? `:${encodeURI(state.pointer)}` : "";
  const hash = !isList || state.chosen === null || !state.tab ? "" : `#${state.tab}${pointer}`;
  return path + (parameters ? `?${parameters}` : "") + hash;
}

/** Writes the address bar, as a new entry of the history or over the present one. */
export function write(state, { replacing = false } = {}) {
  const address = href(state);
  if (address === location.pathname + location.search + location.hash) return;
  history[replacing ? "replaceState" : "pushState"](null, "", address);
}
