import { listen } from "./stream.js";

// Rows that wait at most; when more changes meanwhile, all is asked for again.
const waitingLimit = 10_000;

/** Follows what changes under a filter; however much comes, it is handed on once a frame. */
export class Live {
  #on;
  #end = () => {};
  #waiting = [];
  #rows = 0;
  #isMissing = false;
  #isDue = false;

  /** `on`: `isReady()`, `open()`, `changes(list)`, `resync()`, `lost()`, `refused(error)`. */
  constructor(on) { this.#on = on; }

  /** Follows this filter from now on. */
  follow(filter) {
    this.#end();
    this.#forget();
    this.#end = listen(filter, {
      open: () => this.#on.open(),
      changes: (changes) => this.#take(changes),
      resync: () => {
        this.#forget();
        this.#on.resync();
      },
      lost: () => this.#on.lost(),
      refused: (error) => this.#on.refused(error),
    });
  }

  /** Hands on what waits, unless the listener is not ready; then it waits on. */
  flush() {
    this.#isDue = false;
    if (!this.#on.isReady()) return;
    const [changes, isMissing] = [this.#waiting, this.#isMissing];
    this.#forget();
    if (isMissing) this.#on.resync();
    else if (changes.length) this.#on.changes(changes);
  }

  #take(changes) {
    this.#rows += changes.exchanges.length + changes.others.length;
    this.#isMissing ||= this.#rows > waitingLimit;
    if (this.#isMissing) this.#waiting = [];
    else this.#waiting.push(changes);
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => this.flush());
  }

  #forget() {
    this.#waiting = [];
    this.#rows = 0;
    this.#isMissing = false;
  }
}
