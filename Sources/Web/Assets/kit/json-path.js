/** A place in a JSON text as a normalized path of JSONPath (RFC 9535 §2.7); `path` has names as text and indices as numbers. */
export const jsonPath = (path) => `$${path.map((part) => (typeof part === "number" ? `[${part}]` : `['${escaped(part)}']`)).join("")}`;

const short = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "'": "\\'", "\\": "\\\\" };

const escaped = (name) => name.replace(/[\u0000-\u001f'\\]/g, (one) => short[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
