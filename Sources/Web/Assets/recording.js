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
  /** How often somebody began to pause or to go on here, and how often that was answered. */
  #turns = 0;

  constructor({ instance, notice }) {
    super();
    this.canRecord = instance.recording;
    this.#notice = notice;
    this.#take(instance);
  }

  /** Pauses recording, or goes on. */
  async toggle() {
    this.#turns += 1;
    try {
      this.#take(await api.post("recording", { paused: !this.isPaused }));
    } catch (error) {
      this.#notice.refuse(error);
    } finally {
      this.#turns += 1;
    }
  }

  /** Asks how it stands: another page or the command line may have changed it, and exchanges pass meanwhile. */
  async refresh() {
    const turns = this.#turns;
    try {
      const told = await api.get("instance");
      // What was asked before recording was turned here may tell how it stood before.
      if (turns === this.#turns) this.#take(told);
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
