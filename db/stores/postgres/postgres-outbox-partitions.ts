import type { OutboxRef } from "../port/outbox-ref.ts";
import type { OutboxPartitions, PartitionOutcome, RetentionRule } from "../port/retention.ts";
import { whyNotByMapping } from "../shared/retention/why-not-by-mapping.ts";
import { isConnectionError } from "./connection/database-error.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { createAhead } from "./retention/create-partitions.ts";
import { dropPartition, firstPin } from "./retention/drop-partition.ts";
import { slotPoint } from "./retention/recheck-partition.ts";
import { whyUnindexed } from "./retention/why-unindexed.ts";
import { backdatedBy } from "./storage/backdated-by.ts";
import { readRangeTable } from "./storage/read-partitions.ts";
import { quoteTable } from "./tables/mapping-sql.ts";

const READ_TIMEOUT_MS = 5_000;

export function createOutboxPartitions(pools: StorePools, ref: OutboxRef): OutboxPartitions {
  const ask = <T>(work: () => Promise<T>) => asking(`outbox ${ref.name}`, work);
  return {
    refuses: () => ask(() => refuses(pools, ref)),
    createAhead: (ahead) => ask(() => createAhead(pools.writes(), ref.mapping.table, ahead)),
    dropOld: (rule, most) => ask(() => dropOld(pools, ref, rule, most)),
  };
}

function refuses({ reads }: StorePools, ref: OutboxRef): Promise<string | null> {
  return withReadTransaction(reads(), READ_TIMEOUT_MS, async (client) => {
    const ranges = await readRangeTable(client, ref.mapping.table);
    if (!ranges) return "The table is not partitioned by ranges of one time, so there are no partitions to manage.";
    if (ranges.managedBy !== null)
      return `${ranges.managedBy} manages the partitions of this table; they are left to it.`;
    const pending = ranges.partitions.find(({ isDetaching }) => isDetaching);
    if (pending)
      return `A detach of ${pending.name} is pending, and rows for its range are refused. Finish it: ALTER TABLE … DETACH PARTITION ${pending.name} FINALIZE.`;
    const referenced = await client.query(
      "SELECT 1 FROM pg_constraint WHERE contype = 'f' AND confrelid IN (SELECT relid FROM pg_partition_tree($1::regclass)) LIMIT 1",
      [quoteTable(ref.mapping.table)],
    );
    if (referenced.rows.length > 0)
      return "Another table references these rows by a foreign key, so a partition cannot be dropped.";
    return whyNotByMapping(ref);
  });
}

/**
 * Looks first without locks: a partition that has to stay is never locked for it. On the server that is written to: a
 * copy lags behind, and has no slot of the reader.
 */
async function dropOld(
  { writes }: StorePools,
  ref: OutboxRef,
  rule: RetentionRule,
  most: number,
): Promise<PartitionOutcome[]> {
  const ranges = await withReadTransaction(writes(), READ_TIMEOUT_MS, (client) =>
    readRangeTable(client, ref.mapping.table),
  );
  const boundMs = (ranges?.nowMs ?? 0) - rule.keepSeconds * 1000;
  const old =
    ranges?.partitions.filter(({ toMs, place }) => place === "past" && toMs !== null && toMs <= boundMs) ?? [];
  const outcomes: PartitionOutcome[] = [];
  for (const partition of old) {
    if (outcomes.filter(({ outcome }) => outcome === "dropped").length >= most) break;
    const looked = await withReadTransaction(writes(), READ_TIMEOUT_MS, async (client) => {
      const unindexed = await whyUnindexed(client, ref, partition, ranges?.column ?? "");
      const late = unindexed ?? (await backdatedBy(client, ref, partition));
      const why = late ?? (await firstPin(client, ref, rule, partition));
      return { why, slot: await slotPoint(client, rule.reader) };
    }).catch((error: unknown) => {
      if (isConnectionError(error)) throw error;
      return { why: "it could not be checked in time", slot: null };
    });
    outcomes.push(
      looked.why === null
        ? await dropPartition(writes(), ref, { rule, partition, slot: looked.slot })
        : { outcome: "pinned", partition: partition.name, why: looked.why },
    );
  }
  return outcomes;
}
