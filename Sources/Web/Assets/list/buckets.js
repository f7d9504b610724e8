/** The number of the list's exchanges in each bucket of numbers, which leads from a place to a number and back without holding rows. */
export class Buckets {
  #first;
  #size;
  #counts;
  /** The sum of the counts before each bucket; computed on demand. */
  #before = null;

  constructor({ first, bucketSize, counts }) {
    [this.#first, this.#size, this.#counts] = [first, bucketSize, [...counts]];
  }

  /** Adds an exchange, or removes it. */
  add(id, by = 1) {
    const bucket = this.bucket(id);
    if (bucket < 0) return;
    while (this.#counts.length <= bucket) this.#counts.push(0);
    this.#counts[bucket] = Math.max(0, this.#counts[bucket] + by);
    this.#before = null;
  }

  /** The bucket of a number. */
  bucket(id) { return Math.floor((id - this.#first) / this.#size); }

  /** The number that a bucket begins with; its end is the beginning of the next. */
  begin(bucket) { return this.#first + bucket * this.#size; }

  /** The number of exchanges before a bucket, counted from the oldest. */
  before(bucket) {
    if (!this.#before) {
      let sum = 0;
      this.#before = this.#counts.map((count) => (sum += count) - count);
      this.#before.push(sum);
    }
    return this.#before[Math.min(Math.max(0, bucket), this.#counts.length)];
  }

  get length() { return this.before(this.#counts.length); }

  /** The bucket of the exchange at a position from the oldest. */
  find(position) {
    let [low, high] = [0, this.#counts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.before(middle) <= position) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}
