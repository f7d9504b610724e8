import { byId } from "./dom.js";

// Milliseconds that the body of a pointed place may take to be there.
const patience = 15_000;

/** Shows the place in a body that the address points at, as soon as the tree of that body is drawn. */
export function wirePointer(view) {
  let end = () => {};
  let chosen = null;
  const show = () => {
    end();
    if (!view.pointer) return;
    // A tree of another exchange is not meant.
    const stale = new Set(view.chosen === chosen ? [] : byId("detail").querySelectorAll(".tree"));
    chosen = view.chosen;
    const { pointer, tab } = view;
    const look = () => {
      const selected = byId("detail").querySelector("[role=tab][aria-selected=true]");
      const tree = [...byId("detail").querySelectorAll(".tree:not(.other-side *)")].find((one) => one.reveal && !stale.has(one));
      if (!tree || selected?.id !== `tab-${tab}`) return false;
      end();
      tree.reveal(pointer);
      return true;
    };
    if (look()) return;
    const observer = new MutationObserver(look);
    observer.observe(byId("detail"), { childList: true, subtree: true });
    const timer = setTimeout(() => end(), patience);
    end = () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  };
  view.addEventListener("pointer", show);
  view.addEventListener("chosen", () => { if (!view.pointer) chosen = view.chosen; });
  show();
}
