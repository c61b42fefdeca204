import { groupSegment } from "#contracts/message/groups.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";

/** Path of a failure group's page; `key`: its fingerprint, error code or type. */
export function groupPath(key: string, by: FailureGrouping = "text"): string {
  return `/failures/${encodeURIComponent(groupSegment(by, key))}`;
}
