// The page's whole state in its address: /exchanges/42?code=500&code=404&since=15m#response

/** The categories, in the order the rail shows them. */
export const facets = [
  ["code", "Code"], ["method", "Method"], ["scheme", "Scheme"], ["host", "Host"],
  ["type", "Type"], ["version", "Version"], ["outcome", "Outcome"],
];

/** Reads the address bar. */
export function read() {
  const parameters = new URLSearchParams(location.search);
  const selections = {};
  for (const [name] of facets) {
    const values = parameters.getAll(name).flatMap((value) => value.split(",")).filter(Boolean);
    selections[name] = [...new Set(values)];
  }
  const path = /^\/exchanges\/(\d+)$/.exec(location.pathname);
  return {
    selections,
    since: parameters.get("since") ?? "",
    before: parameters.get("before") ?? "",
    chosen: path ? Number(path[1]) : null,
    tab: location.hash.slice(1) || "overview",
  };
}

/** The filter as the API takes it; empty when everything is wanted. */
export function query(state) {
  const parameters = new URLSearchParams();
  for (const [name] of facets) for (const value of state.selections[name]) parameters.append(name, value);
  if (state.since) parameters.set("since", state.since);
  if (state.before) parameters.set("before", state.before);
  return parameters.toString();
}

/** The address of a state. */
export function href(state) {
  const filter = query(state);
  const path = state.chosen === null ? "/" : `/exchanges/${state.chosen}`;
  const hash = state.chosen === null || state.tab === "overview" ? "" : `#${state.tab}`;
  return path + (filter ? `?${filter}` : "") + hash;
}

/** Writes the address bar, as a new entry of the history or over the present one. */
export function write(state, { replacing = false } = {}) {
  const address = href(state);
  if (address === location.pathname + location.search + location.hash) return;
  history[replacing ? "replaceState" : "pushState"](null, "", address);
}
