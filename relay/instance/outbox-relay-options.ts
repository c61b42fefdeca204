import type { Logger } from "pino";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { ErrorMask } from "#services/masking/error-mask.ts";
import type { Isolation } from "../pipeline/state/isolation.ts";
import type { PipelineSettings } from "../pipeline/state/pipeline-context.ts";
import type { RelayStats } from "../pipeline/state/relay-stats.ts";
import type { Sink } from "../sinks/sink.ts";

export interface OutboxRelayOptions {
  /** Names this relay in leases, claims and heartbeats; unique to one process and one start. */
  id: string;
  version: string;
  table: RelayTable;
  sink: Sink;
  sinkName: string;
  source: string;
  settings: PipelineSettings;
  leaseMs: number;
  /** Share the outbox with other instances; otherwise one instance owns all of it and the others stand by. */
  share?: boolean;
  /** A channel whose NOTIFY wakes the relay when it is idle. */
  notify?: string;
  /** Publish even if another relay seems to publish the same table. */
  force: boolean;
  /** A message's topic; null if the sink has no topics or the message cannot be addressed. */
  topicOf?: (message: OutgoingMessage) => string | null;
  maskError?: ErrorMask;
  /** Shared by all relays of a process. Default: not shared. */
  isolation?: Isolation;
  /** Of earlier runs with this id. */
  stats?: RelayStats;
  log: Logger;
}
