import * as preferences from "./preferences.js";

// The first of the page's scripts. The document that answers to the token, or to a pass, holds the key to the API; it is kept for the page's other
// tabs and visits where only pages of this port can read it, and the secret leaves the address before any other script reads that.

const given = document.querySelector("meta[name=inspect-key]");
const held = given?.content ?? "";
if (given) {
  navigator.serviceWorker?.getRegistrations().then((foreign) => foreign.forEach((worker) => worker.unregister())).catch(() => {});
  preferences.set("key", held);
  given.remove();
}

// A pass that is used up brings no key, and yet the document where the cookie does.
const pairs = location.search.slice(1).split("&");
const kept = pairs.filter((pair) => !/^(token|pass)=/.test(pair));
if (kept.length < pairs.length) {
  const query = kept.filter(Boolean).join("&");
  history.replaceState(history.state, "", location.pathname + (query && `?${query}`) + location.hash);
}

const isKept = preferences.get("key") === held;

/** The key: the newest that a tab of this page got, or this tab's own where nothing can be kept; empty without a key. */
export const key = () => (given && !isKept ? held : preferences.get("key", ""));

/** An address of the API with the key in it, for requests that the browser makes by itself. */
export const keyed = (address) => `${address}${address.includes("?") ? "&" : "?"}key=${encodeURIComponent(key())}`;
