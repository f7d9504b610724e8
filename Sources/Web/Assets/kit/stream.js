import * as api from "./api.js";
import { takeSlot } from "./stream-slots.js";

// Milliseconds before a connection that was refused for a while is tried again.
const tryAgainAfter = 2_000;
// Milliseconds between two questions for changes, where no connection may be held.
const askEvery = 5_000;

/** The streams of this tab, by their filters. */
const streams = new Map();

/**
 * Follows the changes under a filter. Calls what `on` has of `open()`, after which every change is told, `changes(changes)`, `resync()`, `lost()` and
 * `refused(error)`, after which nothing more is tried. Returns a function that ends it.
 */
export function listen(filter, on) {
  let stream = streams.get(filter);
  if (!stream) streams.set(filter, stream = new Stream(filter));
  stream.join(on);
  return () => {
    stream.leave(on);
    if (stream.isDeserted && streams.get(filter) === stream) streams.delete(filter);
  };
}

/**
 * One connection for all that follow the same filter, held while the page is visible.
 *
 * A browser opens six connections to a host, which all tabs share, those in the background and those that it keeps to go back to. A connection that
 * is opened again names the last event it got, and is told what it missed, or to ask for everything again. Where other windows hold every slot of the
 * browser, the changes are asked for now and then, until a slot is free.
 */
class Stream {
  #filter;
  #listeners = new Set();
  /** Ends the connection, or the questions in its place; null where neither runs. */
  #following = null;
  #isOpen = false;
  /** The `id` of the last event; empty before the first. */
  #last = "";
  #isLeft = false;
  #timer = 0;
  #turn = () => this.#follow();
  #leave = () => {
    this.#isLeft = true;
    this.#follow();
  };
  #comeBack = () => {
    this.#isLeft = false;
    this.#follow();
  };

  constructor(filter) {
    this.#filter = filter;
    document.addEventListener("visibilitychange", this.#turn);
    // Another tab of this page may have got the key that this one lacks.
    window.addEventListener("storage", this.#turn);
    window.addEventListener("pagehide", this.#leave);
    window.addEventListener("pageshow", this.#comeBack);
    this.#follow();
  }

  get isDeserted() { return this.#listeners.size === 0; }

  join(on) {
    this.#listeners.add(on);
    if (this.#isOpen) queueMicrotask(() => this.#listeners.has(on) && on.open?.());
  }

  leave(on) {
    this.#listeners.delete(on);
    if (!this.isDeserted) return;
    this.#close();
    document.removeEventListener("visibilitychange", this.#turn);
    window.removeEventListener("storage", this.#turn);
    window.removeEventListener("pagehide", this.#leave);
    window.removeEventListener("pageshow", this.#comeBack);
  }

  #tell(name, ...what) {
    for (const on of [...this.#listeners]) on[name]?.(...what);
  }

  /** Holds a connection, or asks, as long as the page is visible. */
  #follow() {
    if (document.hidden || this.#isLeft) this.#close();
    else if (!this.#following) this.#begin(this.#following = new AbortController());
  }

  #close() {
    clearTimeout(this.#timer);
    this.#following?.abort();
    this.#following = null;
    this.#isOpen = false;
  }

  get #path() {
    const query = [this.#filter, this.#last && `lastEventId=${encodeURIComponent(this.#last)}`].filter(Boolean).join("&");
    return `events${query && "?"}${query}`;
  }

  async #begin({ signal }) {
    clearTimeout(this.#timer);
    const hasSlot = await takeSlot(signal);
    if (signal.aborted) return;
    if (hasSlot) this.#connect(signal);
    else await this.#ask(signal);
  }

  #connect(signal) {
    const source = new EventSource(api.href(this.#path));
    signal.addEventListener("abort", () => source.close());
    const on = (name, does) => source.addEventListener(name, (event) => signal.aborted || does(event));
    for (const name of ["hello", "changes", "resync"]) on(name, ({ lastEventId, data }) => this.#hear(name, lastEventId, data));
    on("error", () => {
      this.#isOpen = false;
      if (source.readyState === EventSource.CLOSED) this.#askWhy(signal);
      else this.#tell("lost");
    });
  }

  /** Asks for what a connection would tell at once, and again after a while. */
  async #ask(signal) {
    const isFirst = this.#last === "";
    try {
      for await (const { name, id, data } of api.events(this.#path, { signal })) {
        if (signal.aborted) return;
        this.#hear(name, id, data);
        // What was missed comes next, or a sign of life where nothing was.
        if (isFirst || name !== "hello") break;
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return;
    }
    if (!signal.aborted) this.#timer = setTimeout(() => this.#begin(this.#following), askEvery);
  }

  #hear(name, id, data) {
    if (id) this.#last = id;
    if (name === "changes") this.#tell("changes", JSON.parse(data));
    else if (name === "resync") this.#tell("resync");
    else if (name === "hello" && !this.#isOpen) {
      this.#isOpen = true;
      this.#tell("open");
    }
  }

  /** Finds out why a stream was refused, which a browser does not tell. */
  async #askWhy(signal) {
    const error = await api.refusal(this.#path);
    if (!signal.aborted) this.#fail(error);
  }

  #fail(error) {
    this.#close();
    if (error instanceof api.Refusal && error.status < 500) return this.#tell("refused", error);
    this.#timer = setTimeout(this.#turn, tryAgainAfter);
    this.#tell("lost");
  }
}
