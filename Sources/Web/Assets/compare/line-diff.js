// Aligns the lines of two heads, which are short: by their longest common part, then by the names of fields.

const limit = 2_000;

/** Pairs of lines that stand beside each other; null where one side has none. */
export function lines(left, right) {
  if (left.length > limit || right.length > limit) return longest(left, right);
  const [first, ...one] = left;
  const [second, ...other] = right;
  return [[first, second], ...byName(common(one, other))];
}

/** Lines beside each other as they come, where there are too many to align. */
const longest = (left, right) =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [left[index] ?? null, right[index] ?? null]);

/** The longest common part (by dynamic programming), with the lines of one side only between. */
function common(left, right) {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = left[i] === right[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) pairs.push([left[i++], right[j++]]);
    else if (j >= right.length || (i < left.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) pairs.push([left[i++], null]);
    else pairs.push([null, right[j++]]);
  }
  return pairs;
}

/** Puts a field of one side beside the field of its name on the other. */
function byName(pairs) {
  const name = (line) => line.split(":", 1)[0].toLowerCase();
  const result = [...pairs];
  for (let index = 0; index < result.length; index += 1) {
    const [one, other] = result[index];
    if (one === null || other !== null) continue;
    const match = result.findIndex(([left, right]) => left === null && name(right) === name(one));
    if (match < 0) continue;
    result[index] = [one, result[match][1]];
    result.splice(match, 1);
    if (match < index) index -= 1;
  }
  return result;
}
