/// A page looked through for what keeps people from using it: names, roles, states, references, landmarks, headings, reflow and contrast
/// (WCAG 2.2 AA, WAI-ARIA 1.2), as a script that returns one sentence for each place.
enum AccessibilityAudit {
    /// The body of a function; it returns an array of sentences, empty where nothing is wrong.
    static let script = #"""
        const found = [];
        const complain = (rule, element, words) => {
          const name = element.id ? `#${element.id}` : element.className && typeof element.className === "string" ? "." + element.className.trim().split(/\s+/).join(".") : "";
          found.push(`${rule}: ${element.tagName.toLowerCase()}${name} ${words} [${(element.textContent ?? "").trim().slice(0, 40)}]`);
        };
        const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && !element.closest("[aria-hidden=true]");
        const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
        const referenced = (element, attribute) => (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean);
        const textOf = (element) => [...element.childNodes].map((node) => {
          if (node.nodeType === 3) return node.data;
          if (node.nodeType !== 1 || node.getAttribute("aria-hidden") === "true") return "";
          return node.getAttribute("aria-label") ?? node.getAttribute("alt") ?? textOf(node);
        }).join(" ");
        const nameOf = (element) => {
          const labelled = referenced(element, "aria-labelledby").map((id) => document.getElementById(id)).filter(Boolean).map(textOf).join(" ");
          const labels = element.labels ? [...element.labels].map(textOf).join(" ") : "";
          const own = element.matches("input, select, textarea, [role=tree], [role=grid], [role=listbox], [role=group], [role=region], dialog, section, nav, table, fieldset") ? "" : textOf(element);
          const legend = element.matches("fieldset") ? element.querySelector("legend")?.textContent : "";
          return [labelled, element.getAttribute("aria-label"), labels, legend, own, element.getAttribute("alt"), element.getAttribute("title")].find((one) => one?.trim())?.trim() ?? "";
        };

        // Names (WCAG 4.1.2, 1.1.1)
        const interactive = "a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, audio, video, [role=button], [role=tab], [role=option], [role=treeitem], [role=menuitem], [role=slider], [role=separator][tabindex], [role=grid], [role=tree], [role=listbox], [role=dialog], dialog[open], nav, [tabindex='0']:not([role=presentation])";
        for (const element of all(interactive)) if (!nameOf(element)) complain("name", element, "has no accessible name");
        for (const element of all("img, [role=img], svg:not(button svg, a svg)")) {
          if (!element.hasAttribute("alt") && !nameOf(element)) complain("name", element, "is a picture without a text");
        }

        // References and identities
        const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
        for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) complain("identity", document.getElementById(id), "shares its id with another");
        for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant", "for"]) {
          for (const element of all(`[${attribute}]`)) {
            for (const id of referenced(element, attribute)) {
              const mayBeAway = attribute === "aria-controls" && (element.getAttribute("aria-expanded") === "false" || element.getAttribute("aria-selected") === "false");
              if (!document.getElementById(id) && !mayBeAway) complain("reference", element, `names ${id} in ${attribute}, which is not there`);
            }
          }
        }

        // Roles (WAI-ARIA 1.2: required context and states)
        const roles = new Set("alert alertdialog application article banner button cell checkbox columnheader combobox complementary contentinfo definition dialog document feed figure form generic grid gridcell group heading img link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status switch tab table tablist tabpanel term textbox timer toolbar tooltip tree treegrid treeitem".split(" "));
        for (const element of all("[role]")) if (!roles.has(element.getAttribute("role"))) complain("role", element, `has the unknown role ${element.getAttribute("role")}`);
        const context = { tab: "[role=tablist]", option: "[role=listbox], [role=combobox]", treeitem: "[role=tree]", menuitem: "[role=menu], [role=menubar]", menuitemradio: "[role=menu]", menuitemcheckbox: "[role=menu]", gridcell: "[role=row], tr", row: "[role=grid], [role=treegrid], [role=table], table", radio: "[role=radiogroup], fieldset" };
        for (const [role, parents] of Object.entries(context)) {
          for (const element of all(`[role=${role}]`)) if (!element.parentElement.closest(parents)) complain("context", element, `is a ${role} outside ${parents}`);
        }
        const states = { tab: "aria-selected", option: "aria-selected", combobox: "aria-expanded", slider: "aria-valuenow", switch: "aria-checked", menuitemradio: "aria-checked", menuitemcheckbox: "aria-checked" };
        for (const [role, state] of Object.entries(states)) {
          for (const element of all(`[role=${role}]`)) if (!element.hasAttribute(state) && !element.matches("input[type=range]")) complain("state", element, `is a ${role} without ${state}`);
        }
        for (const element of all("a[href], button, summary, [role=button]")) {
          const inside = element.querySelector("a[href], button, input, select, textarea, [tabindex='0']");
          if (inside && isShown(inside)) complain("nesting", element, `holds the control ${inside.tagName.toLowerCase()}`);
        }

        // The document: language, title, landmarks, headings
        if (!document.documentElement.lang) complain("document", document.documentElement, "says no language");
        if (!document.title.trim()) complain("document", document.documentElement, "has no title");
        if (all("main, [role=main]").length !== 1) complain("document", document.body, `has ${all("main, [role=main]").length} main landmarks`);
        if (all("h1").length !== 1) complain("headings", document.body, `has ${all("h1").length} headings of the first level`);
        let level = 1;
        for (const heading of all("h1, h2, h3, h4, h5, h6")) {
          const own = Number(heading.tagName[1]);
          if (own > level + 1) complain("headings", heading, `skips from level ${level} to ${own}`);
          level = own;
        }
        for (const element of document.querySelectorAll("[tabindex]")) if (element.tabIndex > 0) complain("focus", element, "has a tab place of its own");
        for (const table of all("table:not([role=presentation])")) if (!table.querySelector("th, [role=columnheader], [role=rowheader]")) complain("table", table, "has no header cell");

        // Reflow (WCAG 1.4.10)
        if (document.scrollingElement.scrollWidth > innerWidth + 1) complain("reflow", document.body, `is ${document.scrollingElement.scrollWidth} px wide in a window of ${innerWidth}`);

        // Contrast (WCAG 1.4.3), of every text in sight
        const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        const known = new Map();
        const colour = (text) => {
          if (!known.has(text)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = text;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            known.set(text, [r, g, b, a / 255]);
          }
          return known.get(text);
        };
        const over = ([r, g, b, a], under) => [r, g, b].map((part, index) => part * a + under[index] * (1 - a));
        const luminance = (parts) => {
          const [r, g, b] = parts.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        // What an element has from those round it is worked out once for all that stand in it.
        const once = (find) => {
          const known = new Map();
          return (element) => {
            if (!known.has(element)) known.set(element, find(element));
            return known.get(element);
          };
        };
        const background = once((element) => {
          if (!element) return colour("Canvas").slice(0, 3);
          const style = getComputedStyle(element);
          if (style.backgroundImage !== "none") return null;
          const layer = colour(style.backgroundColor);
          const under = layer[3] === 1 ? layer.slice(0, 3) : background(element.parentElement);
          return under && over(layer, under);
        });
        const opacityOf = once((element) => (element ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement) : 1));
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const looked = new Set();
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          if (!walker.currentNode.data.trim() || looked.has(element)) continue;
          looked.add(element);
          if (!isShown(element) || element.closest("script, style, noscript, :disabled, [aria-disabled=true], option, .skip")) continue;
          const box = element.getBoundingClientRect();
          if (box.width < 2 || box.height < 2) continue;
          const style = getComputedStyle(element);
          const opacity = opacityOf(element);
          if (opacity === 0) continue;
          const under = background(element);
          if (!under) continue;
          const [r, g, b, a] = colour(style.color);
          const own = over([r, g, b, a * opacity], under);
          const [light, dark] = [luminance(own), luminance(under)].sort((one, other) => other - one);
          const ratio = (light + 0.05) / (dark + 0.05);
          const size = parseFloat(style.fontSize);
          const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
          if (ratio < (isLarge ? 3 : 4.5) - 0.02) complain("contrast", element, `has ${ratio.toFixed(2)} to 1, ${style.color} on rgb(${under.map(Math.round).join(", ")})`);
        }
        return [...new Set(found)];
        """#
}
