import pg from "pg";
import type { EventLog } from "../event-log.ts";
import type { ChaosOptions } from "../options.ts";
import { createRandom } from "../random.ts";
import { DDL, OUTBOX, TABLE } from "../world/relay-config.ts";
import { aggregateName, runWriter, scheduledName, type WriterCounts } from "./writer.ts";

export interface Workload {
  counts: WriterCounts;
  /** Resolves when the last transaction has ended. */
  stop(): Promise<void>;
}

const STREAM = `outbox_console_${OUTBOX}`;

export async function prepareTables(databaseUrl: string, { aggregates, source }: ChaosOptions): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(DDL);
    if (source === "cdc") await prepareStream(client);
    const names = Array.from({ length: aggregates }, (_, index) => [aggregateName(index), scheduledName(index)]).flat();
    await client.query("INSERT INTO chaos_aggregate (id) SELECT unnest($1::text[])", [names]);
  } finally {
    await client.end();
  }
}

/** Sets the database up as an administrator would, with the names that the relay expects by default. */
async function prepareStream(client: pg.Client): Promise<void> {
  await client.query(`CREATE PUBLICATION ${STREAM} FOR TABLE ${TABLE} WITH (publish = 'insert')`);
  await client.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [STREAM]);
}

/** Concurrent writers, like several services or threads. */
export function startWorkload(input: { options: ChaosOptions; databaseUrl: string; log: EventLog }): Workload {
  const { options, databaseUrl, log } = input;
  const counts: WriterCounts = { committed: 0, rolledBack: 0, broken: 0 };
  const stopping = new AbortController();
  const running = Array.from({ length: options.writers }, (_, index) =>
    runWriter(
      {
        databaseUrl,
        random: createRandom(options.seed * 1000 + index),
        aggregates: options.aggregates,
        messagesPerSecond: options.messagesPerSecond / options.writers,
        counts,
        log,
      },
      stopping.signal,
    ),
  );
  return {
    counts,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
