import { GROUP_WITHOUT_ERROR as WITHOUT } from "#contracts/groups.ts";

export function groupPath(fingerprint: string): string {
  return `/failures/${encodeURIComponent(fingerprint === "" ? WITHOUT : fingerprint)}`;
}

export function fingerprintOf(segment: string): string {
  return segment === WITHOUT ? "" : segment;
}
