import type { GroupMark } from "#contracts/message/groups.ts";
import type { FailureGroup } from "#contracts/message/messages.ts";
import type { GroupMarkRow } from "#db/records/groups.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { isFolded, isLater } from "#domain/message/failure-group.ts";
import { missingRecords } from "../ask-records.ts";
import type { Runtime } from "../runtime.ts";

export const MISSING = missingRecords("notes and decisions", "tables");
const SILENT = "The console's database does not answer: notes and decisions about groups are not shown.";
/** Longest time for which the groups wait for their marks. */
const PATIENCE_MS = 1_000;

/**
 * Marks by fingerprint, or a sentence why there are none. Never throws, because the list of failures works without
 * them.
 */
export async function readMarks(
  runtime: Runtime,
  outbox: string,
): Promise<{ marks: Map<string, GroupMarkRow>; problem: string | null }> {
  const { records, consoleGuard } = runtime;
  if (!records || !consoleGuard) return { marks: new Map(), problem: MISSING.noDatabase };
  try {
    const rows = await consoleGuard.ask(() => records.groupMarks(outbox), { patienceMs: PATIENCE_MS });
    return { marks: new Map(rows.map((row) => [row.fingerprint, row])), problem: null };
  } catch (error) {
    return { marks: new Map(), problem: troubleOf(error) === "missing" ? MISSING.notMigrated : SILENT };
  }
}

type Facts = Pick<FailureGroup, "newByHour" | "lastSeenAt">;

/** `group`: the group's failures now, null if it has none. */
export function toMark(row: GroupMarkRow, group: Facts | null, complete: boolean): GroupMark {
  const { claimedBy, claimedAt, resolvedBy, resolvedAt, resolvedSeen, ignoredBy, ignoredAt, ignoredUpTo, notes } = row;
  const last = group?.lastSeenAt ?? null;
  const cameBack = last !== null && resolvedSeen !== null && isLater(last, resolvedSeen);
  return {
    claim: claimedBy === null || claimedAt === null ? null : { by: claimedBy, since: claimedAt },
    resolved:
      resolvedBy === null || resolvedAt === null
        ? null
        : { by: resolvedBy, at: resolvedAt, cameBackAt: cameBack ? last : null },
    ignored:
      ignoredBy === null || ignoredAt === null || ignoredUpTo === null
        ? null
        : {
            by: ignoredBy,
            at: ignoredAt,
            reason: row.ignoredReason ?? "",
            upTo: ignoredUpTo,
            folded: isFolded(ignoredUpTo, group?.newByHour ?? null, complete),
          },
    notes,
  };
}
