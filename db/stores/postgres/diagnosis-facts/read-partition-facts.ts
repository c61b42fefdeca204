import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { PartitionFacts } from "#domain/diagnosis/facts/table.ts";
import { readingOf, readRangeTable } from "../storage/read-partitions.ts";

export async function readPartitionFacts(client: PoolClient, ref: OutboxRef): Promise<PartitionFacts | null> {
  if (!ref.partitioned) return null;
  const ranges = await readRangeTable(client, ref.mapping.table);
  if (!ranges) return null;
  const { ahead, runwaySeconds, defaultRows, managedBy, partitions } = readingOf(ranges);
  const detaching = partitions.filter(({ isDetaching }) => isDetaching).map(({ name }) => name);
  return { ahead, runwaySeconds, hasDefault: defaultRows !== null, defaultRows, detaching, managedBy };
}
