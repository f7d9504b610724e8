// Times as the campus's clock shows them: a wall time is the milliseconds that UTC would have for the same words.

const minute = 60_000;
export const dayMs = 86_400_000;
export const weekMinutes = 7 * 24 * 60;
export const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The wall time of a timestamp, whatever its offset. */
export const wall = (timestamp) => Date.parse(`${timestamp.slice(0, 19)}Z`);

/** The wall time at which the week of a wall time begins, on Monday. */
export function monday(time) {
  const midnight = Math.floor(time / dayMs) * dayMs;
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * dayMs;
}

/** Minutes from the week's beginning. */
export const minuteOfWeek = (time) => Math.floor((time - monday(time)) / minute);
export const atMinute = (week, number) => week + number * minute;

/** `2026-11-21T16:44`, as the API takes a moment. */
export const text = (time) => new Date(time).toISOString().slice(0, 16);
/** `16:44`. */
export const clock = (time) => new Date(time).toISOString().slice(11, 16);
/** `21 Nov`. */
export const date = (time) => new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
/** `Sat`. */
export const dayName = (time) => dayNames[(new Date(time).getUTCDay() + 6) % 7];
/** `Sat 21 Nov 16:44`, with the year before the time where it is not this one. */
export const full = (time) => {
  const year = new Date(time).getUTCFullYear();
  return [dayName(time), date(time), ...(year === new Date().getFullYear() ? [] : [year]), clock(time)].join(" ");
};
