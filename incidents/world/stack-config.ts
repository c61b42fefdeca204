import type { TableLayout } from "./outbox-table.ts";
import type { Sink } from "./sink.ts";
import type { IncidentStore } from "./stores/incident-store.ts";

export interface OutboxSpec {
  name: string;
  table: string;
  layout: TableLayout;
  /** Our relay publishes it. */
  relayed: boolean;
  /** Merged into its section of outbox.yaml. */
  config: Record<string, unknown>;
  /** Merged into its `relay` section. */
  relay: Record<string, unknown>;
  /** Merged into the section of its sink. */
  sink: Record<string, unknown>;
}

/** Small, so that age limits are reached within an incident. */
export const THRESHOLDS = { oldestPending: { warn: "5s", fail: "20s" }, dead: { warn: 1, fail: 100 } };
/** Messages that fail throughout an incident must not run out of attempts. */
const RELAY = { maxAttempts: 1000, retry: { initial: "500ms", max: "2s" } };
const SINK = { kind: "http", timeout: "2s", connectTimeout: "1s" };

export function outboxSpec(name: string, layout: TableLayout, parts: Partial<OutboxSpec> = {}): OutboxSpec {
  const relayed = layout.config?.mode === undefined;
  return {
    name,
    table: `outbox_${name.replaceAll("-", "_")}`,
    layout,
    relayed,
    config: {},
    relay: {},
    sink: {},
    ...parts,
  };
}

/** What a stack's outbox.yaml is made of. */
export interface StackParts {
  store: IncidentStore;
  /** Of the console's own records; null where they are in the store. */
  consoleUrl: string | null;
  specs: readonly OutboxSpec[];
  sinks: ReadonlyMap<string, Sink>;
}

/** The stack's outbox.yaml, for a program that reaches the store at this port. */
export function stackConfig({ store, consoleUrl, specs, sinks }: StackParts, port: number) {
  return {
    environment: "incidents",
    discover: false,
    ...(consoleUrl === null ? {} : { console: { databaseUrl: consoleUrl } }),
    stores: { shop: store.section(port) },
    outboxes: Object.fromEntries(specs.map((spec) => [spec.name, outboxSection(spec)])),
    sinks: Object.fromEntries(
      specs
        .filter(({ relayed }) => relayed)
        .map(({ name, sink }) => [name, { ...SINK, url: sinks.get(name)?.url, ...sink }]),
    ),
  };
}

function outboxSection({ name, table, layout, relayed, config, relay }: OutboxSpec) {
  return {
    store: "shop",
    table,
    thresholds: THRESHOLDS,
    ...layout.config,
    ...(relayed ? { mode: "relay", relay: { sink: name, ...RELAY, ...relay } } : {}),
    ...config,
  };
}
