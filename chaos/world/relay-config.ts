import type { ChaosOptions } from "../options.ts";
import { type Recorder, SLOT_HEADER } from "./recorders/recorder.ts";

export const OUTBOX = "orders";
export const TABLE = "outbox_events";

/** The run's outbox table and the writers' ledger, which records what was committed. */
export const DDL = `
CREATE TABLE ${TABLE} (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), available_at timestamptz, published_at timestamptz);
CREATE INDEX outbox_pending ON ${TABLE} (seq) WHERE published_at IS NULL;
CREATE TABLE chaos_aggregate (id text PRIMARY KEY, version int NOT NULL DEFAULT 0);
CREATE TABLE chaos_ledger (id uuid PRIMARY KEY, seq bigint NOT NULL, aggregate text NOT NULL, n int NOT NULL, scheduled boolean NOT NULL)`;

/** Innocent messages may be in flight during many outages, and must not run out of attempts. */
const MAX_ATTEMPTS = 1000;

export function relayConfig(input: {
  options: ChaosOptions;
  databaseUrl: string;
  sinkPort: number;
  recorder: Recorder;
  slot: number | null;
}): string {
  const { options, databaseUrl, recorder, slot } = input;
  const topic = recorder.topic === null ? "" : `topic: ${recorder.topic}, `;
  const settings = [
    "sink: out",
    `source: ${options.source}`,
    `maxAttempts: ${MAX_ATTEMPTS}`,
    "retry: { initial: 100ms, max: 500ms }",
    `lease: ${options.leaseMs}ms`,
    `batchSize: ${options.settings.batchSize}`,
    `concurrency: ${options.settings.concurrency}`,
    `route: { ${topic}headers: { ${SLOT_HEADER}: "${slot ?? "none"}" } }`,
  ];
  return `
discover: false
stores: { shop: { kind: postgres, url: "${databaseUrl}" } }
outboxes:
  ${OUTBOX}:
    store: shop
    table: public.${TABLE}
    mode: relay
    relay: { ${settings.join(", ")} }
sinks: { out: ${recorder.sinkYaml(input.sinkPort)} }
`;
}

/** A database URL that leads through a line. */
export function throughLine(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.toString();
}
