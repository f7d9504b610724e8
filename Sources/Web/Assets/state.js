import * as api from "./api.js";
import { byId, el, fill } from "./dom.js";
import { count } from "./format.js";

/** The words in the bar that say whether this page follows a running proxy, and the notice of what could not be recorded. */
export class State {
  #notice;
  #instance;
  #hasTold = false;

  constructor({ listing, counts, notice, instance }) {
    this.#notice = notice;
    this.#instance = instance;
    listing.addEventListener("live", () => this.#draw(true));
    listing.addEventListener("lost", () => this.#draw(false));
    counts.addEventListener("counted", () => counts.truncated && this.#tellGaps());
    this.#drawGaps();
  }

  #draw(isLive) {
    const element = byId("state");
    const isRecording = isLive && this.#instance.recording;
    element.className = `state ${isRecording ? "recording" : isLive ? "" : "lost"}`;
    if (isRecording) fill(element, "Recording ", el("span", { class: "where" }, `on ${this.#instance.proxy}`));
    else element.textContent = isLive ? "Not recording" : "Connection lost, trying again…";
  }

  #drawGaps() {
    const missing = this.#instance.gaps.reduce((sum, gap) => sum + gap.count, 0);
    if (missing) this.#notice.say(`${count(missing)} exchanges passed and could not be recorded: ${this.#instance.gaps[0].cause}.`);
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
