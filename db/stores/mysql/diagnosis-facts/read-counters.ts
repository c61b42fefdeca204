import { and, eq, ne, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import type { CounterReading, RelayCounters } from "../../port/outbox-figures.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";

type Inserted = Pick<CounterReading, "inserted" | "insertedBy">;

/** Reads the table's AUTO_INCREMENT, or without one how often performance_schema saw an insert. */
export async function readCounters(session: Session, ref: OutboxRef): Promise<CounterReading> {
  const [row] = await session.rows("SELECT UNIX_TIMESTAMP(NOW(6))");
  return {
    atSeconds: Number(row?.[0]),
    ...((await readSequence(session, ref)) ?? (await readStatistics(session, ref))),
    committed: null,
    relays: ref.storeSide ? await readRelayCounters(session, ref.name) : null,
  };
}

/**
 * The number that the next row would get, without the gaps that servers of a cluster leave for each other. Null without
 * an AUTO_INCREMENT column.
 */
async function readSequence(session: Session, { mapping: { table } }: OutboxRef): Promise<Inserted | null> {
  const [row] = await session.rows(
    sql`SELECT auto_increment, @@auto_increment_increment FROM information_schema.tables
      WHERE table_schema = ${table.schema} AND table_name = ${table.name}
        AND CAST(table_schema AS BINARY) = ${table.schema} AND CAST(table_name AS BINARY) = ${table.name}`,
  );
  const [next = null, step] = row ?? [];
  if (next === null) return null;
  return { inserted: Math.floor((Number(next) - 1) / Math.max(1, Number(step))), insertedBy: "sequence" };
}

/** Both null where the server does not count, or this user may not read it. */
async function readStatistics(session: Session, { mapping: { table } }: OutboxRef): Promise<Inserted> {
  try {
    const [row] = await session.rows(
      sql`SELECT count_insert FROM performance_schema.table_io_waits_summary_by_table
        WHERE object_type = 'TABLE' AND object_schema = ${table.schema} AND object_name = ${table.name}`,
    );
    const count = row?.[0] ?? null;
    return count === null ? NOT_COUNTED : { inserted: Number(count), insertedBy: "statistics" };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return NOT_COUNTED;
  }
}

const NOT_COUNTED: Inserted = { inserted: null, insertedBy: null };

async function readRelayCounters(session: Session, outbox: string): Promise<RelayCounters[]> {
  const { relayInstance: relay } = session.own;
  const rows = await session.db
    .select({ id: relay.id, published: relay.published, failures: relay.failures, latency: relay.latency })
    .from(relay)
    .where(and(eq(relay.outbox, outbox), ne(relay.id, RETIRED)));
  return rows.map((row) => ({ ...row, latency: row.latency as number[] }));
}
