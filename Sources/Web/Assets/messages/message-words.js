import { hexadecimal } from "./message-payload.js";

/** The kind of a message in words: its frame or event, its close code, its id. */
export const labelOf = ({ label, status, eventId }) =>
  [label, status, eventId && `#${eventId}`].filter((word) => word !== null && word !== "").join(" ");

/** The payload of a message as text; bytes that are no text stand as hexadecimal digits. */
export const textOf = ({ text, base64 }) => text ?? hexadecimal(base64);
