import type { FailureGroupRow, FailuresRead, NativeFailure } from "../../port/failure-groups.ts";

/** Failures of one place. `complete`: all of them were read. */
export interface FailureRead<Group> {
  groups: Group[];
  read: number;
  complete: boolean;
  /** SQL of the missing index; null if none is missing. */
  index: string | null;
}

export const NOTHING_KEPT: FailureRead<FailureGroupRow> = { groups: [], read: 0, complete: true, index: null };

/** Failures from our own records and from the table; `native` leaves out rows that our records have. */
export function joinFailures(
  kept: FailureRead<FailureGroupRow>,
  native: FailureRead<NativeFailure>,
): Omit<FailuresRead, "asOf"> {
  return {
    grouped: kept.groups,
    native: native.groups,
    read: kept.read + native.read,
    complete: kept.complete && native.complete,
    index: kept.index ?? native.index,
  };
}
