import { BROKER_KINDS } from "#tests/brokers/broker-kinds.ts";
import type { RelaySettings } from "./relay-settings.ts";
import type { StoreKind } from "./stores/store-kinds.ts";

export const SINK_KINDS = ["http", ...BROKER_KINDS] as const;
export type SinkKind = (typeof SINK_KINDS)[number];

export interface ChaosOptions {
  seed: number;
  store: StoreKind;
  sink: SinkKind;
  source: "polling" | "cdc";
  /** Most relay processes at once. */
  relays: number;
  /** How long faults are injected, ms; afterwards everything heals and drains. */
  chaosMs: number;
  aggregates: number;
  writers: number;
  messagesPerSecond: number;
  leaseMs: number;
  /** Longest wait for the table to drain after healing, ms. */
  drainMs: number;
  /** Longest wait for abandoned claims to end, ms. */
  claimsMs: number;
  /** Folder of the logs, kept after a failure. */
  folder?: string;
  settings: RelaySettings;
  say: (line: string) => void;
}

export const DEFAULTS: Omit<ChaosOptions, "seed" | "settings" | "say"> = {
  store: "postgres",
  sink: "http",
  source: "polling",
  relays: 2,
  chaosMs: 60_000,
  aggregates: 2000,
  writers: 8,
  messagesPerSecond: 300,
  leaseMs: 3000,
  drainMs: 90_000,
  claimsMs: 60_000,
};

/** Other defaults for a store. DynamoDB's time has whole seconds, and the server of the tests is slow. */
export const DEFAULTS_OVER: Partial<Record<StoreKind, Partial<ChaosOptions>>> = {
  dynamodb: { leaseMs: 6000, messagesPerSecond: 80 },
};
