// What lets a refused request be sent, as the forms call it.
const ways = {
  authorization: "add a field Authorization",
  path: "tick that the captured credentials are sent, too, or change the path",
  body: "tick that the captured credentials are sent, too, or change the body",
};

/** Why a request was not sent, with what lets it be sent where something does. */
export const refused = (sentence, wayOut) => (ways[wayOut] ? `${sentence}; ${ways[wayOut]}` : sentence);
