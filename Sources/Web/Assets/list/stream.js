import * as api from "./api.js";

// Milliseconds before a connection that was refused for a while is tried again.
const tryAgainAfter = 2_000;

/** The streams of this tab, by their filters. */
const streams = new Map();

/**
 * Follows what changes under a filter. Calls those that `on` has of `open()`, from which on every change is told of, `changes(changes)`, `resync()`,
 * `lost()` and `refused(error)`, after which nothing is tried any more. Returns a function that ends it.
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
 * One connection for all that follow the same filter, held while the page is looked at.
 *
 * A browser opens six connections to a host, which all tabs share, those in the background and those that it keeps to go back to. A connection that
 * is opened again names the last event it got, and is told what it missed, or to ask for everything again.
 */
class Stream {
  #filter;
  #listeners = new Set();
  #source = null;
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

  /** Holds a connection as long as somebody looks. */
  #follow() {
    if (document.hidden || this.#isLeft) this.#close();
    else if (!this.#source) this.#begin();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    this.#isOpen = false;
  }

  get #path() {
    const query = [this.#filter, this.#last && `lastEventId=${encodeURIComponent(this.#last)}`].filter(Boolean).join("&");
    return `events${query && "?"}${query}`;
  }

  #begin() {
    clearTimeout(this.#timer);
    const source = this.#source = new EventSource(api.href(this.#path));
    const on = (name, does) => source.addEventListener(name, (event) => {
      if (source !== this.#source) return;
      if (event.lastEventId) this.#last = event.lastEventId;
      does(event);
    });
    on("hello", () => {
      this.#isOpen = true;
      this.#tell("open");
    });
    on("changes", (event) => this.#tell("changes", JSON.parse(event.data)));
    on("resync", () => this.#tell("resync"));
    on("error", () => {
      this.#isOpen = false;
      if (source.readyState === EventSource.CLOSED) this.#askWhy();
      else this.#tell("lost");
    });
  }

  /** Finds out why a stream was refused, which a browser does not tell. */
  async #askWhy() {
    const source = this.#source;
    const error = await api.refusal(this.#path);
    if (source !== this.#source) return;
    this.#source = null;
    if (error instanceof api.Refusal && error.status < 500) return this.#tell("refused", error);
    this.#tell("lost");
    this.#timer = setTimeout(this.#turn, tryAgainAfter);
  }
}
