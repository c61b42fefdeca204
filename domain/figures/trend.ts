/** Hours that are compared with as many before them. */
const HOURS = 3;

/** `none`: nothing new in either part. */
export type Trend = "rising" | "falling" | "steady" | "none";

/**
 * How the new failures of the last 3 hours compare with the 3 before: a difference counts from twice the root of their
 * sum, which chance alone rarely reaches. Null if the hours are not known. `newByHour`: oldest first.
 */
export function trendOf(newByHour: readonly number[] | null, complete: boolean): Trend | null {
  if (newByHour === null || !complete) return null;
  const sum = (part: readonly number[]) => part.reduce((total, count) => total + count, 0);
  const recent = sum(newByHour.slice(-HOURS));
  const before = sum(newByHour.slice(-2 * HOURS, -HOURS));
  if (recent + before === 0) return "none";
  const difference = recent - before;
  if (Math.abs(difference) < 2 * Math.sqrt(recent + before)) return "steady";
  return difference > 0 ? "rising" : "falling";
}
