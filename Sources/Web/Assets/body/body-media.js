import { el, fill } from "./dom.js";

// Pictures, sound, films and fonts, each from an address of the page's own memory that ends with the view.

/** An address in the page's own memory, released when its view has ended and the bytes that were asked for have come. */
class MemoryAddress {
  #isAsked = true;
  #hasEnded = false;
  href;

  constructor(blob, type) { this.href = URL.createObjectURL(new Blob([blob], { type })); }

  /** Notes that the bytes have come, or will not. */
  answer() {
    this.#isAsked = false;
    this.#letGo();
  }

  end() {
    this.#hasEnded = true;
    this.#letGo();
  }

  #letGo() { if (this.#hasEnded && !this.#isAsked) URL.revokeObjectURL(this.href); }
}

/** A picture. In an image element no script runs and nothing else is loaded, not even for an SVG. */
export class PictureView {
  #address;

  constructor(blob, type) {
    this.#address = new MemoryAddress(blob, type);
    const facts = el("figcaption", { class: "quiet" });
    const image = el("img", {
      src: this.#address.href, alt: "The body as a picture",
      onload: () => {
        facts.textContent = `${image.naturalWidth} × ${image.naturalHeight}`;
        this.#address.answer();
      },
      onerror: () => {
        facts.textContent = "These bytes are not a picture of their type.";
        this.#address.answer();
      },
    });
    this.element = el("figure", { class: "picture" }, image, facts);
  }

  end() { this.#address.end(); }
}

/** Sound or a film with the browser's own controls; nothing plays by itself. */
export class MediaView {
  #address;

  constructor(blob, type) {
    this.#address = new MemoryAddress(blob, type);
    const facts = el("figcaption", { class: "quiet" });
    const tag = type.startsWith("video/") ? "video" : "audio";
    const player = el(tag, {
      src: this.#address.href, controls: true, preload: "metadata", "aria-label": tag === "video" ? "The body as a film" : "The body as sound",
      onloadedmetadata: () => {
        const length = Number.isFinite(player.duration) ? `${player.duration.toFixed(1)} s` : "of unknown length";
        facts.textContent = player.videoWidth ? `${length}, ${player.videoWidth} × ${player.videoHeight}` : length;
        this.#address.answer();
      },
      onerror: () => {
        facts.textContent = "This browser cannot play these bytes.";
        this.#address.answer();
      },
    });
    this.element = el("figure", { class: "picture media" }, player, facts);
  }

  end() { this.#address.end(); }
}

let fontNumber = 0;
// How the bytes of a font begin (OpenType, TrueType, collections, WOFF 1 and 2); the browser is not asked about others.
const fontStarts = new Set(["00010000", "4f54544f", "74727565", "74746366", "774f4646", "774f4632"]);
const sample = "The quick brown fox jumps over the lazy dog. 0123456789 &?!@% ÄÖÜ äöü ß é ñ ø Ж Ω";

/** A font, in sentences set in it. */
export class FontView {
  #face = null;
  #ended = false;
  element = el("div", { class: "font-sample" }, el("p", { class: "quiet", role: "status" }, "Reading the font…"));

  constructor(blob) { this.#show(blob); }

  end() {
    this.#ended = true;
    if (this.#face) document.fonts.delete(this.#face);
  }

  async #show(blob) {
    const family = `captured-${++fontNumber}`;
    const start = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
    try {
      if (!fontStarts.has([...start].map((byte) => byte.toString(16).padStart(2, "0")).join(""))) throw new TypeError("no font");
      const face = new FontFace(family, await blob.arrayBuffer());
      await face.load();
      if (this.#ended) return;
      document.fonts.add(face);
      this.#face = face;
      fill(this.element, [40, 24, 16, 12].map((points) => {
        const line = el("p", {}, sample);
        line.style.font = `${points}px "${family}"`;
        return line;
      }));
    } catch {
      fill(this.element, el("p", { class: "problem" }, "These bytes are not a font that this browser reads."));
    }
  }
}
