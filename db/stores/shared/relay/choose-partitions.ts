import { ALL_PARTITIONS, PARTITIONS } from "#domain/relay/partitions.ts";
import type { LeaseRequest } from "../../port/relay/lease.ts";

/** One row of the leases of an outbox. */
export interface LeaseRow {
  partition: number;
  owner: string;
  epoch: number;
  live: boolean;
}

/** Prefers the owner's present partitions, so that a new term moves as few as possible. */
export function choosePartitions(
  rows: readonly LeaseRow[],
  { owner, share, most = PARTITIONS }: LeaseRequest,
): number[] {
  const others = new Set(rows.filter((row) => row.live && row.owner !== owner).map(({ partition }) => partition));
  // A single row comes from a release without partitions and covers the whole outbox.
  const whole = !share || rows.length === 1;
  if (whole && others.size > 0) return [];
  const own = new Set(rows.filter((row) => row.owner === owner).map(({ partition }) => partition));
  const free = ALL_PARTITIONS.filter((partition) => !others.has(partition));
  const kept = free.filter((partition) => own.has(partition));
  const chosen = [...kept, ...free.filter((partition) => !own.has(partition))];
  return (share ? chosen.slice(0, most) : chosen).sort((left, right) => left - right);
}
