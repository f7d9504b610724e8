import * as api from "./api.js";

// Milliseconds between changes taken while nobody looks, and before a connection that was refused is tried again.
const hiddenEvery = 250;
const tryAgainAfter = 2_000;

/** Follows what changes under a filter; however much comes, it is handed on once a frame. */
export class Live {
  #filter = "";
  #on;
  #end = () => {};
  #waiting = [];
  #isDue = false;

  /** `on`: `open({isAgain})`, `changes(list)`, `resync()`, `lost()`, `refused(error)`. */
  constructor(on) { this.#on = on; }

  /** Follows this filter from now on. */
  follow(filter) {
    this.#filter = filter;
    this.#waiting = [];
    this.#listen({ isAgain: false });
  }

  /** Hands on what waits, unless the listener is not ready; then it waits on. */
  flush() {
    this.#isDue = false;
    if (!this.#waiting.length || !this.#on.isReady()) return;
    const changes = this.#waiting;
    this.#waiting = [];
    this.#on.changes(changes);
  }

  #listen({ isAgain }) {
    this.#end();
    let isOpen = isAgain;
    const again = () => setTimeout(() => this.#listen({ isAgain: true }), tryAgainAfter);
    const filter = this.#filter;
    this.#end = api.listen(filter, {
      open: () => {
        this.#on.open({ isAgain: isOpen });
        isOpen = true;
      },
      changes: (changes) => {
        this.#waiting.push(changes);
        if (this.#isDue) return;
        this.#isDue = true;
        if (document.hidden) setTimeout(() => this.flush(), hiddenEvery);
        else requestAnimationFrame(() => this.flush());
      },
      resync: () => {
        this.#waiting = [];
        this.#on.resync();
      },
      lost: async (isClosed) => {
        this.#on.lost();
        if (!isClosed) return;
        try {
          await api.get("instance");
          if (filter === this.#filter) again();
        } catch (error) {
          this.#on.refused(error);
          if (!(error instanceof api.Refusal) && filter === this.#filter) again();
        }
      },
    });
  }
}
