import * as api from "./api.js";

/** Whether a gap in the record is one that somebody asked for. */
export const isPause = ({ kind, cause }) => kind === "pause" || cause === "recording was paused";

/** Whether the exchanges of a gap are missing in the record: late ones came there after their clients had the end. */
export const isMissing = ({ kind }) => kind !== "late";

/** Whether the proxy records. Says `changed` when that changes. */
export class Recording extends EventTarget {
  /** Whether a proxy runs on this store at all. */
  canRecord;
  isPaused = false;
  /** The number of exchanges that passed unrecorded since recording was paused. */
  unrecorded = 0;
  #notice;
  /** The wanted state, while the request for it is under way. */
  #wanted = null;
  /** The number of questions for the state so far. */
  #asked = 0;

  constructor({ instance, notice }) {
    super();
    this.canRecord = instance.recording;
    this.#notice = notice;
    this.#take(instance);
  }

  /** Pauses or resumes recording; a call while that is under way turns it round once more afterwards. */
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
    // An answer to a question of that time may tell the earlier state.
    this.#asked += 1;
    if (!failure) return;
    this.#notice.refuse(failure);
    await this.refresh();
  }

  /** Asks for the state: another page or the command line may have changed it, and exchanges pass meanwhile. */
  async refresh() {
    const asked = this.#asked += 1;
    try {
      const told = await api.get("instance");
      // Only the answer to the last question counts, and none while this page changes the state.
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
