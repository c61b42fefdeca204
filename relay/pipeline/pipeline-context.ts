import type { Logger } from "pino";
import type { Lease, RelayTable } from "#db/outbox/relay-port.ts";
import type { RetryPolicy } from "#domain/retry-policy.ts";
import type { Sink } from "../sinks/sink.ts";
import type { Isolation } from "./isolation.ts";
import type { RelayMemory } from "./relay-memory.ts";
import type { RelayStats } from "./relay-stats.ts";

export interface PipelineSettings {
  batchSize: number;
  concurrency: number;
  onFailure: "block" | "pass";
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
  log: Logger;
  /** Shared by all relays of the process. */
  isolation: Isolation;
  /** On the monotonic clock: from here on nothing may be published, unless the lease was renewed. */
  publishUntilMs(): number;
}
