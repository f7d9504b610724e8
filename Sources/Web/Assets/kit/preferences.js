// Values that this browser keeps between visits. The page needs none of them: where storage is blocked or full, it starts as on a first visit.

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
    // Storage is blocked or full: the value is not kept.
  }
}

/** Both functions together, for callers that take them as one object. */
export const preferences = { get, set };
