// Numbers, times and codes as a person reads them.

const counts = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

export const count = (number) => counts.format(number);

/** A noun as it stands after a number; `many` is for a noun that takes more than an s. */
export const noun = (number, one, many = `${one}s`) => (number === 1 ? one : many);

/** A number with the noun that it counts: 1 exchange, 2 exchanges. */
export const counted = (number, one, many) => `${count(number)} ${noun(number, one, many)}`;

/** A text as one word of bash and zsh; invisible characters are escaped, as by ShellWord in the program. */
export function shellWord(text) {
  if (!/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = (byte) => {
    const character = String.fromCharCode(byte);
    if (character === "'" || character === "\\") return `\\${character}`;
    return byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, "0")}`;
  };
  return `$'${[...new TextEncoder().encode(text)].map(escaped).join("")}'`;
}

/** Bytes in the largest unit that leaves at least one. */
export function bytes(number) {
  if (number === null || number === undefined) return "–";
  if (number < 1000) return `${number} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = number / 1000;
  // A value that rounds to a thousand of a unit is one of the next unit.
  while (value >= 999.5 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return `${value < 999.5 ? value.toPrecision(3) : count(Math.round(value))} ${units[0]}`;
}

/** Milliseconds as µs, ms, s or min. */
export function duration(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 0.9995) return `${Math.round(ms * 1000)} µs`;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The time of day. */
export const timeOfDay = (moment) => clock.format(new Date(moment));

/** The time of day, with the date when it is not today's; with the year, and to the second, when it is not of this year. */
export function time(started) {
  const date = new Date(started);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  if (date.getFullYear() === now.getFullYear()) return `${day.format(date)} ${clock.format(date)}`;
  return `${dayOfYear.format(date)} ${clock.format(date).slice(0, 8)}`;
}

export const fullTime = (started) => whole.format(new Date(started));

/** The word for a value of a category: `failed` in the category of codes counts only failures without an answer. */
export const valueText = (name, value) => (name === "code" && value === "failed" ? "no-answer" : value);

/** The text of the code column: the code, or the outcome of an exchange without a code. */
export const codeText = (row) => (row.code === null ? row.outcome : String(row.code));

/** The colour class of an exchange: by its code, and failed or grey whatever its code when it broke off or its client left. */
export function tone(row) {
  if (row.outcome === "failed") return "tone-failed";
  if (row.outcome === "pending") return "tone-pending";
  if (["cancelled", "tunnelled"].includes(row.outcome) || row.code === null) return "tone-none";
  return toneOfCode(String(row.code));
}

/** The colour class of a value of the code category. */
export function toneOfCode(value) {
  if (/^\d/.test(value)) return `tone-${value[0]}`;
  return value === "failed" || value === "pending" ? `tone-${value}` : "tone-none";
}

/** The media type in a word, for a narrow column. */
export function shortType(type) {
  if (!type) return "";
  const [main, sub] = type.split("/");
  if (!sub) return type;
  if (/javascript/.test(sub)) return "js";
  const plain = sub.replace(/^(x-|vnd\.)/, "").replace(/^.*\+/, "");
  return main === "text" && sub === "plain" ? "text" : plain;
}

/** The address the client asked for; of a CONNECT the authority that its target is. */
export function url(row) {
  if (!row.scheme || (row.method === "CONNECT" && !row.target.startsWith("/"))) return row.target;
  const host = row.host.includes(":") ? `[${row.host}]` : row.host;
  const usual = { http: 80, https: 443, ws: 80, wss: 443 }[row.scheme];
  return `${row.scheme}://${host}${row.port === usual ? "" : ":" + row.port}${row.target}`;
}
