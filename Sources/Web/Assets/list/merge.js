/**
 * Applies changes to the held rows of a list, in the order in which they came, without drawing anything.
 *
 * `inSight` is the place of the first row in sight, and `isFollowing` says whether the view is where new rows come in. Returns how many rows more
 * stand `above` that place, and the `ids` of all that changed.
 */
export function merge(batches, { held, pages, fresh, inSight, isFollowing }) {
  const { rows, gone } = settled(batches);
  let above = 0;
  const insert = (row) => {
    if (held.insert(row) < inSight) above += 1;
    pages.buckets?.add(row.id);
  };
  for (const row of [...rows.values()].sort((a, b) => a.id - b.id)) {
    if (held.put(row) || fresh.has(row.id)) continue;
    if (row.id <= pages.newest) {
      // The exchange matches now, or its place is not held; the next overview says where it is.
      if (held.surrounds(row)) insert(row);
    } else if (isFollowing) {
      insert(row);
      pages.newest = row.id;
    } else fresh.add(row.id);
  }
  for (const id of gone) {
    fresh.delete(id);
    const at = held.remove(id);
    if (at < 0) continue;
    pages.buckets?.add(id, -1);
    if (at < inSight) above -= 1;
  }
  if (isFollowing) held.trim(pages.growsAtEnd ? held.end : held.start);
  return { above, ids: [...rows.keys(), ...gone] };
}

/** The state of each exchange after all of these changes: its row, or that it is not in the list. */
function settled(batches) {
  const rows = new Map();
  const gone = new Set();
  for (const { exchanges, others } of batches) {
    for (const row of exchanges) rows.set(row.id, row) && gone.delete(row.id);
    for (const id of others) rows.delete(id), gone.add(id);
  }
  return { rows, gone };
}
