import type { ChaosOptions } from "../options.ts";
import type { ChaosStore } from "../stores/chaos-store.ts";
import { type Recorder, SLOT_HEADER } from "./recorders/recorder.ts";

export const OUTBOX = "orders";
/** Innocent messages may be in flight during many outages, and must not run out of attempts. */
const MAX_ATTEMPTS = 1000;

export function relayConfig(input: {
  options: ChaosOptions;
  store: ChaosStore;
  /** Loopback port at which the store is reached. */
  storePort: number;
  sinkPort: number;
  recorder: Recorder;
  slot: number | null;
}): string {
  const { options, store, recorder, slot } = input;
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
stores: { shop: ${store.storeYaml(input.storePort)} }
outboxes:
  ${OUTBOX}:
    store: shop
    ${store.tableYaml.join("\n    ")}
    mode: relay
    relay: { ${settings.join(", ")} }
sinks: { out: ${recorder.sinkYaml(input.sinkPort)} }
`;
}

/** A database URL that leads through a line. */
export function throughPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.toString();
}
