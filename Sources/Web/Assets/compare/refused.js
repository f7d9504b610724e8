// What lets a refused request be sent, as the form of one request calls it.
const ways = {
  authorization: "add a field Authorization",
  path: "tick that the captured credentials are sent, too, or change the path",
  body: "tick that the captured credentials are sent, too, or change the body",
};

/** The same, as the form of a set calls it, which changes no field, path or body. */
export const waysOfSet = {
  authorization: "leave them out of the origin",
  path: "tick that the captured credentials are sent there, too",
  body: "tick that the captured credentials are sent there, too",
};

/** Why a request was not sent, with what lets it be sent where something does. */
export const refused = (sentence, wayOut, called = ways) => (called[wayOut] ? `${sentence}; ${called[wayOut]}` : sentence);
