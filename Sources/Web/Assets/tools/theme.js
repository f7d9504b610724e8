import * as preferences from "./preferences.js";

/** The colours to choose from. */
export const themes = { system: "As the system", light: "Light", dark: "Dark" };

/** The chosen colours: those of the system, light or dark. */
export const theme = () => preferences.get("theme", "system");

/** Chooses colours and remembers them. */
export function choose(name) {
  preferences.set("theme", name === "system" ? null : name);
  apply();
}

/** Gives the document the chosen colours. */
export function apply() {
  if (theme() === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme();
}
