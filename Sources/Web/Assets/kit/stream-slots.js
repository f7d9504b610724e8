// Connections that stay open, in all windows of a browser together: a browser opens six to a host, and the others are for everything else.
const names = ["one", "two", "three", "four"].map((name) => `inspect.stream.${name}`);

/** The slots of this window that are being given back. */
const ending = new Set();
/** The last of this window's questions for a slot. */
let asked = Promise.resolve();

/**
 * Takes one of the slots for a connection that stays open, and gives it back when the signal aborts. Resolves to whether a slot was free.
 *
 * A browser has no locks for a page that came over plain HTTP from another machine, and none where it may keep nothing; then every connection has
 * its slot.
 */
export function takeSlot(signal) {
  return asked = asked.then(() => take(signal));
}

async function take(signal) {
  if (!navigator.locks) return true;
  // A slot that this window has just released is for its next connection.
  await Promise.all(ending);
  for (const name of names) {
    if (signal.aborted) return false;
    if (await hold(name, signal)) return true;
  }
  return false;
}

/** Holds the slot of this name until the signal aborts; resolves to whether it was free. */
function hold(name, signal) {
  return new Promise((done) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (slot) => {
      done(slot !== null);
      return slot && new Promise((end) => {
        const giveBack = () => {
          ending.add(held);
          end();
        };
        if (signal.aborted) giveBack();
        else signal.addEventListener("abort", giveBack);
      });
    }).catch(() => done(true)).finally(() => ending.delete(held));
  });
}
