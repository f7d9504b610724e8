import * as api from "./api.js";
import { byId, el, fill } from "./dom.js";
import { count, counted } from "./format.js";
import { isMissing, isPause } from "./recording.js";

// Milliseconds between two questions for the state: while recording is paused, to count what passes, and while it is not.
const lookEvery = { paused: 2000, recording: 5000 };

/** The words in the bar that say whether this page follows a running proxy, and the notice of exchanges that could not be recorded. */
export class State {
  #notice;
  #instance;
  #recording;
  #isLive = false;
  #isDenied = false;
  #hasTold = false;
  #timer = 0;

  constructor({ listing, counts, notice, instance, recording }) {
    this.#notice = notice;
    this.#instance = instance;
    this.#recording = recording;
    listing.addEventListener("live", () => this.#become(true));
    listing.addEventListener("lost", () => this.#become(false));
    listing.addEventListener("denied", () => this.#become(false, { isDenied: true }));
    recording.addEventListener("changed", () => this.#draw());
    counts.addEventListener("counted", () => counts.truncated && this.#tellGaps());
    this.#drawGaps();
  }

  #become(isLive, { isDenied = false } = {}) {
    const isBack = isLive && !this.#isLive;
    this.#isLive = isLive;
    this.#isDenied = isDenied;
    this.#draw();
    if (isBack) this.#recording.refresh();
  }

  #draw() {
    const element = byId("state");
    const { canRecord, isPaused, unrecorded } = this.#recording;
    const isRecording = this.#isLive && canRecord;
    clearTimeout(this.#timer);
    element.className = `state ${isRecording ? (isPaused ? "paused" : "recording") : this.#isLive ? "" : "lost"}`;
    if (isRecording && isPaused) {
      fill(element, "Paused", el("span", { class: "unrecorded" }, `, ${count(unrecorded)} passed unrecorded`));
    } else if (isRecording) fill(element, "Recording ", el("span", { class: "where" }, `on ${this.#instance.proxy}`));
    else element.textContent = this.#isLive ? "Not recording" : this.#isDenied ? "Not connected" : "Connection lost, trying again…";
    if (isRecording) this.#timer = setTimeout(() => this.#look(), lookEvery[isPaused ? "paused" : "recording"]);
  }

  async #look() {
    if (!document.hidden) await this.#recording.refresh();
    this.#draw();
  }

  #drawGaps() {
    const gaps = this.#instance.gaps.filter((gap) => isMissing(gap) && !isPause(gap));
    const missing = gaps.reduce((sum, gap) => sum + gap.count, 0);
    if (missing) this.#notice.say(`${counted(missing, "exchange")} passed and could not be recorded: ${gaps[0].cause}.`);
  }

  /** Asks what could not be recorded, once a listing says that something is missing. */
  async #tellGaps() {
    if (this.#hasTold) return;
    this.#hasTold = true;
    try {
      this.#instance = await api.get("instance");
      this.#drawGaps();
    } catch (error) {
      if (error instanceof api.Refusal) this.#notice.refuse(error);
    }
  }
}
