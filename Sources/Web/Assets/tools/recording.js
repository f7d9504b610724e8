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
  /** What somebody here wants it to be, while that is on its way. */
  #wanted = null;
  /** How often it was asked how it stands. */
  #asked = 0;

  constructor({ instance, notice }) {
    super();
    this.canRecord = instance.recording;
    this.#notice = notice;
    this.#take(instance);
  }

  /** Pauses recording, or goes on; said again while that is on its way, it is turned round once more after. */
  async toggle() {
    const isUnderWay = this.#wanted !== null;
    this.#wanted = !(this.#wanted ?? this.isPaused);
    if (isUnderWay) return;
    let failure = null;
    try {
      for (let sent = null; sent !== this.#wanted;) {
        sent = this.#wanted;
        this.#take(await api.post("recording", { paused: sent }));
      }
    } catch (error) {
      failure = error;
    }
    this.#wanted = null;
    // What was asked meanwhile may tell how it stood before.
    this.#asked += 1;
    if (!failure) return;
    this.#notice.refuse(failure);
    await this.refresh();
  }

  /** Asks how it stands: another page or the command line may have changed it, and exchanges pass meanwhile. */
  async refresh() {
    const asked = this.#asked += 1;
    try {
      const told = await api.get("instance");
      // Of several answers that of the last question counts, and none while recording is turned here.
      if (asked === this.#asked && this.#wanted === null) this.#take(told);
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
