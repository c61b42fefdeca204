import type { Logger } from "pino";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { RetryPolicy } from "#domain/retry-policy.ts";
import type { DatabaseClock } from "#relay/instance/database-clock.ts";
import type { Sink } from "#relay/sinks/sink.ts";
import type { Isolation } from "./isolation.ts";
import type { RelayMemory } from "./relay-memory.ts";
import type { RelayStats } from "./relay-stats.ts";

export interface PipelineSettings {
  batchSize: number;
  concurrency: number;
  onFailure: "block" | "pass";
  /** `hold`: the aggregate of a message that is given up on waits until someone deals with it. `pass` by default. */
  onDead?: "pass" | "hold";
  retry: Omit<RetryPolicy, "maxAttempts">;
}

/** One term of one owner over one outbox. */
export interface PipelineContext {
  table: RelayTable;
  sink: Sink;
  lease: Lease;
  settings: PipelineSettings;
  stats: RelayStats;
  memory: RelayMemory;
  clock: DatabaseClock;
  /** These were marked as published by this relay. */
  published(ids: readonly string[]): void;
  log: Logger;
  /** Shared by all relays of the process. */
  isolation: Isolation;
  /** On the monotonic clock: from here on nothing may be published, unless the lease was renewed. */
  publishUntilMs(): number;
}
