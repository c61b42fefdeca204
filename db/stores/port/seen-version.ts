const MARK = "~";

/**
 * A version as shown on a message's page: the exact version, and a digest of the facts that an operator decides on
 * (payload, error, earlier acts), which another attempt with the same outcome does not change.
 */
export function withDecision(version: string, decision: string | null): string {
  return decision === null ? version : `${version}${MARK}${decision}`;
}

/** Null if the version was read without one. */
export function decisionIn(version: string): string | null {
  const at = version.indexOf(MARK);
  return at === -1 ? null : version.slice(at + 1);
}

/** Nothing has changed between the two. */
export function isSameVersion(one: string, other: string): boolean {
  return exactOf(one) === exactOf(other);
}

function exactOf(version: string): string {
  return version.split(MARK, 1)[0] ?? "";
}
