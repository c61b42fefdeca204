/** RFC 3339 in UTC with six digits, so that texts compare as times do; engines write three or six. */
function inMicroseconds(at: string): string {
  return at.replace(/(?:\.(\d+))?Z$/, (_, fraction = "") => `.${fraction.padEnd(6, "0").slice(0, 6)}Z`);
}

/** Whether a time is after another one of the same clock; both RFC 3339 in UTC. */
export function isLater(at: string, other: string): boolean {
  return inMicroseconds(at) > inMicroseconds(other);
}

/**
 * Whether a list folds an ignored group: its new messages of the last hour do not exceed `upTo`. Null if that is not
 * known. `newByHour`: oldest first; `complete`: every failure was read.
 */
export function isFolded(upTo: number, newByHour: readonly number[] | null, complete: boolean): boolean | null {
  const lastHour = newByHour?.at(-1);
  if (lastHour === undefined) return null;
  if (lastHour > upTo) return false;
  return complete ? true : null;
}
