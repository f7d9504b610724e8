import * as api from "./api.js";

/** Whether a gap in the record is one that somebody asked for. */
export const isPause = ({ kind, cause }) => kind === "pause" || cause === "recording was paused";

/** Whether what passes is recorded. Says `changed` when that is otherwise. */
export class Recording extends EventTarget {
  /** Whether a proxy runs on this store at all. */
  canRecord;
  isPaused = false;
  /** How many exchanges passed unrecorded since recording was paused. */
  unrecorded = 0;
  #notice;

  constructor({ instance, notice }) {
    super();
    this.canRecord = instance.recording;
    this.#notice = notice;
    this.#take(instance);
  }

  /** Pauses recording, or goes on. */
  async toggle() {
    try {
      this.#take(await api.post("recording", { paused: !this.isPaused }));
    } catch (error) {
      this.#notice.refuse(error);
    }
  }

  /** Asks how it stands: another page or the command line may have changed it, and exchanges pass meanwhile. */
  async refresh() {
    try {
      this.#take(await api.get("instance"));
    } catch {
      // The state says that the connection is lost.
    }
  }

  #take({ paused = false, gaps = [] }) {
    // The present pause is the last gap that somebody asked for.
    const unrecorded = paused ? gaps.findLast(isPause)?.count ?? 0 : 0;
    if (paused === this.isPaused && unrecorded === this.unrecorded) return;
    Object.assign(this, { isPaused: paused, unrecorded });
    this.dispatchEvent(new Event("changed"));
  }
}
