// What this browser remembers between visits. Nothing here is needed: where storage is blocked or full, everything is as on a first visit.

const prefix = "inspect.";

/** The value kept under a name, as it was set; the fallback where there is none that can be read. */
export function get(name, fallback = null) {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Keeps a value that JSON holds; null forgets it. */
export function set(name, value) {
  try {
    if (value === null || value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Blocked or full: it is not remembered.
  }
}

/** Both together, for callers that take them as one thing. */
export const preferences = { get, set };
