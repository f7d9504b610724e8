import { Refusal } from "./api.js";

/** The line under the bar that says what went wrong, or what was done. */
export class Notice {
  #element;
  #isRefusal = false;

  constructor(element) { this.#element = element; }

  /** Says a sentence; null takes it away. */
  say(sentence) {
    this.#isRefusal = false;
    this.#element.hidden = !sentence;
    this.#element.textContent = sentence ?? "";
  }

  /** Says what went wrong; without the token nothing here works any more. */
  refuse(error) {
    this.say(error instanceof Refusal ? error.message : "inspect does not answer; is it still running?");
    this.#isRefusal = true;
  }

  /** Takes away what went wrong, now that it goes well; what was done stays said. */
  recover() {
    if (this.#isRefusal) this.say(null);
  }
}
