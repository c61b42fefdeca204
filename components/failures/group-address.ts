/** The group of failures without a recorded error has no fingerprint; an address needs a word for it. */
const WITHOUT = "none";

export function groupPath(fingerprint: string): string {
  return `/failures/${encodeURIComponent(fingerprint === "" ? WITHOUT : fingerprint)}`;
}

export function fingerprintOf(segment: string): string {
  return segment === WITHOUT ? "" : segment;
}
