import { key, keyed } from "./enter.js";

// Speaks to /api/v1.

/** An answer that is an error: its status, its sentence, and the column of the mistake in a query text. */
export class Refusal extends Error {
  constructor(status, sentence, { column = null, wayOut = null } = {}) {
    super(sentence);
    this.status = status;
    this.column = column;
    this.wayOut = wayOut;
  }
}

/** The error of a request that got no answer. */
export class Unreachable extends Error {
  constructor() { super("inspect does not answer; is it still running?"); }
}

/** The promise of the network; its errors become `Unreachable`, except an abort. */
const reached = (promise) => promise.catch((error) => { throw error.name === "AbortError" ? error : new Unreachable(); });

/** The JSON at an address of the API. */
export async function get(path, { signal } = {}) {
  return (await request(path, { signal })).json();
}

/** The counts of a filter; while the counting takes long, `tell` gets its progress in percent. */
export async function counts(filter, { signal, tell }) {
  const answer = await request(`exchanges?${filter}&limit=0&progress=true`, { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reached(reader.read());
    if (done) throw new Refusal(answer.status, "The counting broke off.");
    text += value;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      if (line.error) throw new Refusal(500, line.error);
      if (line.percent === undefined) return line;
      tell(line.percent);
    }
  }
}

/** Sends a POST and returns its JSON answer. */
export async function post(path, content = {}, { signal } = {}) {
  const headers = { "Content-Type": "application/json" };
  const answer = await request(path, { method: "POST", headers, body: JSON.stringify(content), signal });
  return answer.json();
}

/** Sends a POST that takes long; `tell` gets each line of JSON of the answer. */
export const postLines = (path, content, on) =>
  lines(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) }, on);

/** Sends a GET that takes long; `tell` gets each line of JSON of the answer. */
export const getLines = (path, on) => lines(path, {}, on);

async function lines(path, options, { signal, tell }) {
  const answer = await request(path, { ...options, signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reached(reader.read()); !part.done; part = await reached(reader.read())) {
    const whole = (text + part.value).split("\n");
    text = whole.pop();
    for (const line of whole) tell(JSON.parse(line));
  }
}

/** The events that an address of the API tells, as they come, each as its name, `id` and data; a sign of life has none of them. */
export async function* events(path, { signal }) {
  const answer = await request(path, { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (let part = await reached(reader.read()); !part.done; part = await reached(reader.read())) {
      const whole = (text + part.value).split("\n\n");
      text = whole.pop();
      for (const event of whole) {
        const field = (name) => event.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        yield { name: field("event"), id: field("id"), data: field("data") };
      }
    }
  } finally {
    // A reader that stops early releases the connection.
    reader.cancel().catch(() => {});
  }
}

/** Sends a DELETE. */
export async function remove(path) {
  return (await request(path, { method: "DELETE", headers: { "Content-Type": "application/json" } })).json();
}

/** The bytes of a body, decoded or as they passed, and a sentence when they are not the whole body. */
export async function body(id, side, { decoded = true, limit, signal } = {}) {
  const parameters = new URLSearchParams();
  if (decoded) parameters.set("decoded", "1");
  if (decoded && limit) parameters.set("limit", limit);
  const answer = await request(`exchanges/${id}/${side}/body?${parameters}`, { signal });
  return { bytes: new Uint8Array(await answer.arrayBuffer()), problem: answer.headers.get("Inspect-Problem") };
}

/** Bytes at an address of the API, held by the browser outside of the page's memory, and a sentence when they are not the whole body. */
export async function blob(path, { signal } = {}) {
  const answer = await request(path, { signal });
  return { blob: await answer.blob(), problem: answer.headers.get("Inspect-Problem") };
}

/** A text at an address of the API. */
export async function text(path, { signal } = {}) {
  return (await request(path, { signal })).text();
}

/** The address from which a body can be saved. */
export const bodyHref = (id, side, decoded) => href(`exchanges/${id}/${side}/body${decoded ? "?decoded=1" : ""}`);

/** The address of a file of the API, for a link. */
export const href = (path) => keyed(`/api/v1/${path}`);

/** The error of an address of the API; null where it answers. The answer's body is not read. */
export async function refusal(path) {
  const looking = new AbortController();
  try {
    await request(path, { signal: looking.signal });
    return null;
  } catch (error) {
    return error;
  } finally {
    looking.abort();
  }
}

async function request(path, options) {
  const headers = { ...options?.headers, Authorization: `Bearer ${key()}` };
  const answer = await reached(fetch(`/api/v1/${path}`, { ...options, headers }));
  if (answer.ok) return answer;
  let sentence = `The server answered ${answer.status}.`;
  let body = {};
  try {
    body = (await answer.json()) ?? {};
    sentence = body.error ?? sentence;
  } catch {
    // The answer holds no JSON, so the status is told.
  }
  throw new Refusal(answer.status, sentence, body);
}
