import * as api from "./api.js";
import { Chosen } from "./chosen.js";
import { Counts } from "./counts.js";
import { byId } from "./dom.js";
import { wireKeys, wireRailToggle } from "./keys.js";
import { Listing } from "./listing.js";
import { Notice } from "./notice.js";
import { Places } from "./places.js";
import { Rail } from "./rail.js";
import { Search } from "./search.js";
import { State } from "./state.js";
import { View } from "./view.js";

// The only place where the parts of the page meet.

const view = new View();
const notice = new Notice(byId("notice"));
const counts = new Counts(view);
counts.addEventListener("failed", () => counts.error instanceof api.Refusal && notice.refuse(counts.error));

const search = new Search({ view, counts, notice });
new Rail(byId("rail"), { view, counts });
wireRailToggle({ view, counts });

api.get("instance").then(start, (error) => notice.refuse(error));

async function start(instance) {
  const chosen = new Chosen({ view, notice, instance });
  const listing = new Listing({ view, counts, notice, instance, choose: (id, options) => chosen.choose(id, options) });
  listing.addEventListener("changed", ({ detail }) => chosen.changed(detail));
  new State({ listing, counts, notice, instance });
  new Places({ view, places: {} });
  wireKeys({ view, listing, search, chosen });
  await listing.start();
}
