import * as api from "./api.js";
import { segments } from "./controls.js";
import { el, fill } from "./dom.js";

// Bytes of a recorded body that can be edited in a box.
const editedLimit = 1 << 20;

/** The body of a request that is edited. Until somebody writes another one, the recorded bytes are sent. */
export class RequestBody {
  element;
  #exchange;
  #place = el("div", {});
  #mode = "recorded";
  /** The first text of each box, and its present text since somebody wrote in it. */
  #boxes = { text: { begun: null, written: null }, base64: { begun: null, written: null } };
  #lineEnd = "\n";
  /** The file input, once it was shown; it keeps the chosen file. */
  #file = null;
  #bytes = null;

  constructor(exchange) {
    this.#exchange = exchange;
    const modes = [["recorded", exchange.request.body.size ? "As recorded" : "None"], ["text", "Text"], ["base64", "Base64"], ["file", "File"]];
    this.element = el("fieldset", { class: "body-of" }, el("legend", {}, "Body"), segments("Body", modes, this.#mode, (mode) => {
      this.#mode = mode;
      this.#draw();
    }), this.#place);
    this.#draw();
  }

  /** The body for the API: {body} or {bodyBase64}, and neither for the recorded bytes. Throws where a file is missing or cannot be read. */
  async edits() {
    if (this.#mode === "file") {
      const [file] = this.#file.files;
      if (!file) throw new Error("Choose the file to send as the body.");
      return { bodyBase64: await base64(file) };
    }
    const { begun, written } = this.#boxes[this.#mode] ?? { begun: null, written: null };
    if (written === begun) return {};
    return this.#mode === "text" ? { body: written.replaceAll("\n", this.#lineEnd) } : { bodyBase64: written.replace(/\s+/g, "") };
  }

  #draw() {
    // A late answer goes to an element that another mode has removed by then.
    const place = el("div", {});
    fill(this.#place, place);
    switch (this.#mode) {
      case "text": return this.#drawBox(place, "text", (bytes) => this.#textOf(bytes));
      case "base64": return this.#drawBox(place, "base64", (bytes) => base64(new Blob([bytes])));
      case "file":
        return fill(place, this.#file ??= el("input", { type: "file", name: "file", "aria-label": "File to send as the body" }));
      default: {
        const { size } = this.#exchange.request.body;
        return fill(place, el("p", { class: "quiet" }, size ? `The ${size.toLocaleString("en")} recorded bytes.` : "No body was recorded."));
      }
    }
  }

  async #drawBox(place, name, read) {
    const box = this.#boxes[name];
    let remark = null;
    if (box.begun === null && box.written === null) {
      try {
        box.begun = box.written = await read(await this.#recorded());
      } catch (error) {
        remark = `${error.message} Until something is written here, the recorded body is sent.`;
      }
    }
    const area = el("textarea", {
      name, rows: 8, spellcheck: "false", "aria-label": `Body as ${name}`, oninput: () => { box.written = area.value; },
    });
    area.value = box.written ?? "";
    fill(place, remark && el("p", { class: "quiet" }, remark), area,
      name === "text" && this.#lineEnd === "\r\n" && el("p", { class: "quiet" }, "Lines end in CR and LF, as in the recorded body."));
  }

  /** The recorded body without its content coding; throws where it is not whole. */
  #recorded() {
    return this.#bytes ??= this.#read();
  }

  async #read() {
    const { size } = this.#exchange.request.body;
    if (!size) return new Uint8Array();
    const { bytes, problem } = await api.body(this.#exchange.id, "request", { limit: editedLimit });
    if (problem) throw new Error(problem);
    return bytes;
  }

  /** A body as a box holds it; throws where the box would not give the same bytes again. */
  #textOf(bytes) {
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Error("The recorded body is not UTF-8; edit it as Base64.");
    }
    const lines = text.replace(/\r\n?/g, "\n");
    const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
    if (lines.replaceAll("\n", lineEnd) !== text) throw new Error("The lines of the recorded body end in different ways; edit it as Base64.");
    this.#lineEnd = lineEnd;
    return lines;
  }
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Error("The file cannot be read."));
    reader.readAsDataURL(file);
  });
}
