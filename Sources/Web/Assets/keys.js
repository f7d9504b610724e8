import { byId } from "./dom.js";

const typing = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/** The keys that work anywhere on the page. */
export function wireKeys({ view, listing, search, chosen }) {
  document.addEventListener("keydown", (event) => {
    if (event.target.matches(typing) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && view.chosen !== null) chosen.choose(null);
    else if (["ArrowDown", "ArrowUp"].includes(event.key) && event.target === document.body) listing.focus();
  });
}

/** The button that opens the rail where there is no room for it beside the list. */
export function wireRailToggle({ view, counts }) {
  const button = byId("rail-toggle");
  const draw = () => {
    const number = view.categories.reduce((sum, name) => sum + view.selected(name).length, 0);
    const isOpen = document.body.classList.contains("rail-open");
    button.textContent = isOpen ? "Done" : `Filters${number ? ` (${number})` : ""}`;
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => {
    document.body.classList.toggle("rail-open");
    draw();
  });
  counts.addEventListener("counted", draw);
}
