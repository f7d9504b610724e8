import { listen } from "./stream.js";

// Rows that wait at most; when more rows change meanwhile, the list is asked for again.
const waitingLimit = 10_000;

/** Follows the changes under a filter and hands them on once a frame, however many come. */
export class Live {
  #on;
  #end = () => {};
  #waiting = [];
  #rows = 0;
  #isMissing = false;
  #isDue = false;
  /** Whether every change is told. */
  isOpen = false;
  #opened = () => {};

  /** `on`: `isReady()`, `open()`, `changes(list)`, `resync()`, `lost()`, `refused(error)`. */
  constructor(on) { this.#on = on; }

  /** Follows this filter from now on. */
  follow(filter) {
    this.#end();
    this.#forget();
    this.isOpen = false;
    this.#end = listen(filter, {
      open: () => {
        this.isOpen = true;
        this.#opened();
        this.#on.open();
      },
      changes: (changes) => this.#take(changes),
      resync: () => {
        this.#forget();
        this.#on.resync();
      },
      lost: () => {
        this.isOpen = false;
        this.#on.lost();
      },
      refused: (error) => {
        this.#opened();
        this.#on.refused(error);
      },
    });
  }

  /** Resolves when every change is told, when the stream is refused, or when so many milliseconds have passed. */
  opened(most) {
    return new Promise((done) => {
      this.#opened = done;
      setTimeout(done, most);
      if (this.isOpen) done();
    });
  }

  /** Hands on the waiting changes as soon as the listener is ready. */
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
