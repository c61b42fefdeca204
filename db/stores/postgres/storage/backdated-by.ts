import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ageColumn } from "#db/stores/shared/retention/age-column.ts";
import { queryOn } from "../connection/query-on.ts";
import { instantOf } from "../tables/column-values.ts";
import { foreignTable, outboxTable } from "../tables/outbox-table.ts";
import type { RangePartition } from "./read-partitions.ts";

/** A row that was published so long after its partition had ended was inserted late, or waited for a person. */
const GRACE_HOURS = 24;

/**
 * Clause: rows came into the partition long after its time had passed, so more may come; null if none is known to have.
 * A producer that inserts into a partition while it is dropped would fail.
 */
export async function backdatedBy(
  client: PoolClient,
  ref: OutboxRef,
  { schema, name, toMs }: Pick<RangePartition, "schema" | "name" | "toMs">,
): Promise<string | null> {
  const age = ageColumn(ref.mapping);
  if (age?.of !== "published" || toMs === null) return null;
  const outbox = outboxTable(ref.mapping);
  const { table } = foreignTable({ schema, name }, "p", []);
  const { rowCount } = await queryOn(client).execute(
    sql`SELECT FROM ${table} ${outbox.rows} WHERE ${instantOf(outbox, age.column)} > ${latestInTime(toMs)} LIMIT 1`,
  );
  return (rowCount ?? 0) > 0
    ? `a row in it was published more than ${GRACE_HOURS} h after its range had ended, so rows with old times may still come`
    : null;
}

/** The range's end plus the grace: rows published later entered the partition late. */
export function latestInTime(toMs: number): SQL {
  return sql`${new Date(toMs + GRACE_HOURS * 3_600_000).toISOString()}::timestamptz`;
}
