import { pieceLength } from "./pieces.js";

// Rows from one remembered offset to the next; those between are found again from there.
const every = 256;

/** A text as rows that fit the width: where each begins, found piece by piece, with one in 256 remembered. */
export class TextRows {
  #pieces;
  #columns;
  #starts = [0];
  #lines = [1];
  #isContinued = [false];

  constructor(pieces, columns) {
    this.#pieces = pieces;
    this.#columns = columns;
    this.count = 0;
    this.lines = 1;
  }

  /** Reads the whole text once; tells after each piece. */
  async build(tell, signal) {
    let state = { start: 0, line: 1, column: 0, isContinued: false };
    for (let number = 0; number * pieceLength < this.#pieces.size; number += 1) {
      const bytes = await this.#pieces.at(number);
      if (signal.aborted) return;
      state = this.#scan(bytes, number * pieceLength, state, (_, next) => {
        this.count += 1;
        if (this.count % every === 0) {
          this.#starts.push(next.start);
          this.#lines.push(next.line);
          this.#isContinued.push(next.isContinued);
        }
      });
      this.lines = state.line;
      tell(false);
    }
    if (state.start < this.#pieces.size || this.count === 0) this.count += 1;
    tell(true);
  }

  /** Some rows: {start, end, line}, `line` null where a row goes on with the one before. */
  async rows(from, to) {
    const mark = Math.floor(from / every);
    const start = this.#starts[mark];
    const end = this.#starts[Math.ceil(to / every)] ?? this.#pieces.size;
    const bytes = await this.#pieces.range(start, end);
    const found = [];
    let number = mark * every;
    const keep = (row) => {
      if (number >= from && number < to) found.push({ ...row, bytes: bytes.subarray(row.start - start, row.end - start) });
      number += 1;
    };
    const last = this.#scan(bytes, start, { start, line: this.#lines[mark], column: 0, isContinued: this.#isContinued[mark] }, keep);
    if (number < to && (last.start < end || this.#pieces.size === 0)) keep({ start: last.start, end, line: last.isContinued ? null : last.line });
    return found;
  }

  /** The row that holds a byte. */
  async rowAt(offset) {
    let low = 0;
    for (let high = this.#starts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle;
    }
    const rows = await this.rows(low * every, Math.min(this.count, (low + 1) * every));
    const at = rows.findLastIndex((row) => row.start <= offset);
    return low * every + Math.max(0, at);
  }

  /** Goes through bytes and gives every row that ends in them, with where the next begins. */
  #scan(bytes, base, state, give) {
    let { start, line, column, isContinued } = state;
    const columns = this.#columns;
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (byte === 10) {
        const row = { start, end: base + index, line: isContinued ? null : line };
        start = base + index + 1;
        line += 1;
        column = 0;
        isContinued = false;
        give(row, { start, line, isContinued });
      } else if ((byte & 0xc0) !== 0x80) {
        if (column === columns) {
          const row = { start, end: base + index, line: isContinued ? null : line };
          start = base + index;
          column = 0;
          isContinued = true;
          give(row, { start, line, isContinued });
        }
        column += 1;
      }
    }
    return { start, line, column, isContinued };
  }
}
