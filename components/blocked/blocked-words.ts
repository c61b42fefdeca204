import type { BlockedAggregate, BlockedList } from "#contracts/outbox/blocked.ts";
import { formatCount, formatPlural } from "#domain/format.ts";

/** "10,000+", "3", "not counted". */
export function describeWaiting({ waiting }: Pick<BlockedAggregate, "waiting">): string {
  if (waiting.precision === "unknown") return "not counted";
  return `${formatCount(waiting.value)}${waiting.precision === "capped" ? "+" : ""}`;
}

/** "10,000+ wait behind", "1 waits behind", "waiting not counted". */
export function describeBehind({ waiting }: Pick<BlockedAggregate, "waiting">): string {
  if (waiting.precision === "unknown") return "waiting not counted";
  return `${describeWaiting({ waiting })} ${waiting.value === 1 ? "waits" : "wait"} behind`;
}

/** Why an aggregate waits, in one line. */
export function describeBlock({ kind, head, pauses }: BlockedAggregate): string {
  const pause = pauses.find(({ held }) => !held);
  const paused = pause === undefined ? "" : `paused by ${pause.by}: ${pause.reason}`;
  if (kind === "paused") return paused === "" ? "paused" : paused;
  const error = errorOf(head);
  const what = {
    failing: error ?? "failed, without an error recorded",
    held: `held behind a dead message${error === null ? "" : `: ${error}`}`,
    suspect: "in quarantine: relays died while it was in flight, so it is published alone",
  }[kind];
  return paused === "" ? what : `${what}; also ${paused}`;
}

function errorOf(head: BlockedAggregate["head"]): string | null {
  const line = head?.lastError?.trimStart().split("\n", 1)[0];
  return line || (head?.lastErrorCode ?? null);
}

/** How much of the outbox the page shows. */
export function describeExtent({ aggregates, looked, nextCursor }: BlockedList): string {
  const shown = formatPlural(aggregates.length, "aggregate");
  if (nextCursor === null) return shown;
  return aggregates.length === 0 ? `none among ${formatCount(looked)} looked at; more follow` : `${shown}; more follow`;
}
