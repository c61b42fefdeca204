import type { Pool } from "pg";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";

/** The usual outbox table, with a sequence. */
export const OUTBOX_DDL = `
CREATE TABLE outbox_events (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload jsonb NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
CREATE INDEX outbox_pending ON outbox_events (seq) WHERE published_at IS NULL`;

export interface RelayYaml {
  databaseUrl: string;
  sinkUrl: string;
  table?: string;
  /** Further lines of the outbox, e.g. `columns: { ... }`. */
  outbox?: string[];
  /** Further settings of the relay, as YAML flow: `maxAttempts: 3`. */
  relay?: string[];
  /** Further settings of the sink, as YAML flow: `batch: 100`. */
  sinkSettings?: string[];
  /** Another sink than http, as YAML flow. */
  sink?: string;
  /** Further sections, a line each. */
  sections?: string[];
}

export function relayYaml({
  databaseUrl,
  sinkUrl,
  table,
  outbox = [],
  relay = [],
  sinkSettings = [],
  sink,
  sections = [],
}: RelayYaml): string {
  const http = ["kind: http", `url: "${sinkUrl}"`, "timeout: 10s", "connectTimeout: 5s", ...sinkSettings].join(", ");
  return `
stores: { shop: { kind: postgres, url: "${databaseUrl}" } }
outboxes:
  orders:
    store: shop
    table: ${table ?? "public.outbox_events"}
    mode: relay
${outbox.map((line) => `    ${line}`).join("\n")}
    relay: { sink: hook, ${["retry: { initial: 100ms, max: 500ms }", ...relay].join(", ")} }
sinks: { hook: { ${sink ?? http} } }
${sections.join("\n")}
`;
}

export function openRelayRuntime(yaml: RelayYaml): Runtime {
  return openRuntime({ config: parseConfig(relayYaml(yaml), {}, "test"), applicationName: "relay test", env: {} });
}

/**
 * `count` events, `aggregates` in turn: payload {"aggregate": a, "n": position within the aggregate from `from` on}.
 */
export async function insertEvents(
  db: Pick<Pool, "query">,
  input: { count: number; aggregates?: number; from?: number; prefix?: string },
): Promise<void> {
  const { count, aggregates = 1, from = 0, prefix = "a" } = input;
  await db.query(
    `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
     SELECT 'order', $3 || (i % $2), 'order.changed', jsonb_build_object('aggregate', $3 || (i % $2), 'n', $4::int + i / $2)
     FROM generate_series(0, $1 - 1) i ORDER BY i`,
    [count, aggregates, prefix, from],
  );
}

export interface Delivery {
  aggregate: string;
  n: number;
}

/** First deliveries that are out of order in their aggregate; repeated deliveries are allowed. */
export function inversions(deliveries: readonly Delivery[]): Delivery[] {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  const found: Delivery[] = [];
  for (const delivery of deliveries) {
    const key = `${delivery.aggregate}/${delivery.n}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (delivery.n < (last.get(delivery.aggregate) ?? -1)) found.push(delivery);
    last.set(delivery.aggregate, Math.max(delivery.n, last.get(delivery.aggregate) ?? -1));
  }
  return found;
}

export function distinct(deliveries: readonly Delivery[]): number {
  return new Set(deliveries.map(({ aggregate, n }) => `${aggregate}/${n}`)).size;
}

export async function unsentCount(db: Pick<Pool, "query">): Promise<number> {
  const { rows } = await db.query("SELECT count(*)::int AS unsent FROM outbox_events WHERE published_at IS NULL");
  return rows[0]?.unsent ?? -1;
}
