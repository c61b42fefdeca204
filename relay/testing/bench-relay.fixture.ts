import { pino } from "pino";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { createRelayTable, type RelayTableOptions } from "#db/stores/postgres/relay/postgres-relay-table.ts";
import { MAPPING, OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { OutboxRelay } from "../instance/outbox-relay.ts";
import type { PipelineSettings } from "../pipeline/state/pipeline-context.ts";
import type { PublishOutcome, Sink } from "../sinks/sink.ts";

/** The table of the benchmark, without its rows. */
export const BENCH_DDL = `CREATE TABLE ${TABLE} (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload jsonb NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
CREATE INDEX ON ${TABLE} (seq) WHERE published_at IS NULL`;

export const AMBIGUOUS: PublishOutcome = {
  kind: "failed",
  failure: { code: "server_error", kind: "ambiguous", message: "HTTP 500" },
};

export function openBenchTable(input: Pick<RelayTableOptions, "url" | "relayId" | "cdc">): RelayTable {
  return createRelayTable({
    ...{ outbox: OUTBOX, mapping: MAPPING, ordering: "aggregate", maxAttempts: 30 },
    ...{ ...input, sinkName: "memory" },
  });
}

/** A relay in this process, over a table that a test can watch, delay or cut off, and a given sink. */
export function createBenchRelay(input: {
  id: string;
  table: RelayTable;
  sink: Sink;
  settings: PipelineSettings;
  leaseMs?: number;
  share?: boolean;
}): OutboxRelay {
  return new OutboxRelay({
    ...{ leaseMs: 6000, ...input },
    ...{ version: "test", sinkName: "memory", source: "polling", force: true },
    log: pino({ level: process.env.RELAY_TEST_LOG ?? "silent" }),
  });
}
