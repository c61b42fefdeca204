import { type ExpiredClaims, type FailingHead, MOST_HEADS } from "#domain/diagnosis/facts/messages.ts";
import type { MessageRow } from "../../port/message-row.ts";
import type { FactLimits } from "../../port/outbox-watch.ts";
import type { OutboxView } from "../read/outbox-view.ts";

/** Failed heads of aggregates with the number of messages behind them; the most waiting messages first. */
export function failingHeads({ view, capped }: { view: OutboxView; capped: boolean }): FailingHead[] {
  const deliveries = new Map(view.kept.deliveries.records.map(({ sk, doc }) => [sk, doc]));
  const behind = new Map<string, number>();
  for (const { row } of view.entries)
    if (row.blockedBy !== null) behind.set(row.blockedBy, (behind.get(row.blockedBy) ?? 0) + 1);
  const isHead = (row: MessageRow) => row.state === "failed" && row.aggregateId !== null && deliveries.has(row.id);
  const heads = view.entries.filter(({ row }) => isHead(row)).map(({ row }) => row);
  const first = new Map<string, MessageRow>();
  for (const row of heads) {
    const doc = deliveries.get(row.id);
    const key = doc?.aggregateKey ?? row.id;
    const known = first.get(key);
    const isEarlier = known && (doc?.firstFailedAt ?? "") < (deliveries.get(known.id)?.firstFailedAt ?? "");
    if (!known || behind.has(row.id) || (isEarlier && !behind.has(known.id))) first.set(key, row);
  }
  return [...first]
    .map(([aggregate, row]) => ({
      aggregate,
      aggregateId: row.aggregateId ?? "",
      ...{ headId: row.id, eventType: row.eventType, attempts: row.attempts ?? 0, headCreatedAt: row.createdAt },
      firstFailedAt: deliveries.get(row.id)?.firstFailedAt ?? null,
      ...{ nextAttemptAt: row.nextAttemptAt, errorCode: row.lastErrorCode, error: row.lastError },
      ...{ waiting: behind.get(row.id) ?? 0, waitingCapped: capped },
    }))
    .sort((one, other) => other.waiting - one.waiting)
    .slice(0, MOST_HEADS);
}

/** With the claims of our relays whose term has run out. */
export function withRelayClaims(
  { view, limits }: { view: OutboxView; limits: FactLimits },
  native: ExpiredClaims,
): ExpiredClaims {
  const before = Date.parse(view.asOf) - limits.claimGraceSeconds * 1000;
  const ours = view.kept.claims.filter(
    ({ lives, left, startedAt }) => !lives && left.length > 0 && Date.parse(startedAt) < before,
  );
  if (ours.length === 0) return native;
  const starts = [...(native.oldestAt === null ? [] : [native.oldestAt]), ...ours.map(({ startedAt }) => startedAt)];
  return {
    claims: native.claims + ours.length,
    messages: native.messages + ours.reduce((sum, { left }) => sum + left.length, 0),
    capped: native.capped,
    oldestAt: starts.sort()[0] ?? null,
    claimedAtKnown: native.claimedAtKnown,
    owners: [...new Set([...native.owners, ...ours.map(({ owner }) => owner)])],
  };
}
