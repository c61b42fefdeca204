import type { Logger } from "pino";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { RetryPolicy } from "#domain/relay/retry-policy.ts";
import type { DatabaseClock } from "#relay/clock/database-clock.ts";
import type { Sink } from "#relay/sinks/sink.ts";
import type { ErrorMask } from "#services/masking/error-mask.ts";
import type { Isolation } from "./isolation.ts";
import type { RelayMemory } from "./relay-memory.ts";
import type { RelayStats } from "./relay-stats.ts";

export interface PipelineSettings {
  batchSize: number;
  concurrency: number;
  onFailure: "block" | "pass";
  /** `hold`: the aggregate of a dead message waits until an operator decides about it. Default: `pass`. */
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
  /** Masks the values of a message in the text of its failure. Default: masks nothing. */
  maskError?: ErrorMask;
  /** Called with the ids that this relay has marked as published. */
  published(ids: readonly string[]): void;
  log: Logger;
  /** Shared by all relays of the process. */
  isolation: Isolation;
  /** Time on the monotonic clock from which nothing may be published, unless the lease is renewed. */
  publishUntilMs(): number;
}
