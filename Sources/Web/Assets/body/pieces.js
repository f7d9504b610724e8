// Reads a blob piece by piece, so that a body of any size costs the page a few pieces of memory.

/** Bytes of a piece. */
export const pieceLength = 1 << 18;
const keptPieces = 8;

/** The pieces of a blob; the last few that were read are kept. */
export class Pieces {
  #blob;
  #kept = new Map();

  constructor(blob) { this.#blob = blob; }

  get size() { return this.#blob.size; }

  /** The piece of this number. */
  at(number) {
    let piece = this.#kept.get(number);
    if (piece) this.#kept.delete(number);
    else piece = this.#blob.slice(number * pieceLength, (number + 1) * pieceLength).arrayBuffer().then((buffer) => new Uint8Array(buffer));
    this.#kept.set(number, piece);
    if (this.#kept.size > keptPieces) this.#kept.delete(this.#kept.keys().next().value);
    return piece;
  }

  /** The bytes from one offset to another. */
  async range(from, to) {
    const end = Math.min(to, this.size);
    const first = Math.floor(from / pieceLength);
    if (end <= from) return new Uint8Array();
    if (end <= (first + 1) * pieceLength) return (await this.at(first)).subarray(from - first * pieceLength, end - first * pieceLength);
    return new Uint8Array(await this.#blob.slice(from, end).arrayBuffer());
  }
}
