import type { Logger } from "pino";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { Isolation } from "../pipeline/state/isolation.ts";
import type { PipelineSettings } from "../pipeline/state/pipeline-context.ts";
import type { Sink } from "../sinks/sink.ts";

export interface OutboxRelayOptions {
  /** Names this relay in leases, claims and heartbeats; of one process and one start. */
  id: string;
  version: string;
  table: RelayTable;
  sink: Sink;
  sinkName: string;
  source: string;
  settings: PipelineSettings;
  leaseMs: number;
  /** Share the outbox with other instances; else it is all or nothing, and others stand by. */
  share?: boolean;
  /** A channel whose NOTIFY wakes the relay when it is idle. */
  notify?: string;
  /** Publish although someone else seems to publish the same table. */
  force: boolean;
  /** The topic that a message goes to, where the sink has topics; null for one that cannot be addressed. */
  topicOf?: (message: OutgoingMessage) => string | null;
  /** Shared by all relays of a process; of its own when it is the only one. */
  isolation?: Isolation;
  log: Logger;
}
