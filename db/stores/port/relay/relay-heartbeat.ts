import type { StreamStatus } from "./relay-stream.ts";
import type { RouteOutage } from "./route-outage.ts";
import type { ShareView } from "./share-view.ts";

/** Instants are on the database clock. */
export interface RelayHeartbeat {
  id: string;
  host: string;
  pid: number;
  version: string;
  state: "owner" | "standby" | "paused" | "holding" | "stopping" | "stopped";
  source: string;
  sink: { name: string; kind: string; address: string; ordering?: string };
  published: number;
  failures: number;
  inFlight: number;
  lastPublishedAt: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  /** Routes held back while the rest flows; longest outage first. */
  routes: RouteOutage[];
  /** Claimed messages that another program had published or removed when we settled them; cumulative. */
  foreignPublished: number;
  /** Rows that another program published and this relay never claimed, as far as it looked; cumulative. */
  foreignUnclaimed: number;
  /** First and last sign of another publisher; `foreignSince` restarts after a quiet minute. */
  foreignSince: Date | null;
  foreignLastAt: Date | null;
  /** This host's wall clock minus the database's clock, ms; null until measured. */
  clockOffsetMs: number | null;
  /** Start of the oldest settle still being written; null if there is none. */
  settlingSince: Date | null;
  lateCommits: number;
  /** Only for a relay that reads the log. */
  stream: StreamState | null;
  /** How many partitions it owns. */
  partitions: number;
  /** Cumulative counts per latency bucket, see domain/relay/latency-histogram.ts. */
  latency: number[];
}

/** State of a relay's log reader. */
export interface StreamState extends StreamStatus {
  connected: boolean;
  /** RFC 3339: start of the current connection, or of the disconnection. */
  since: string;
  /** Why the log is not read, as a sentence; null while it is, and while that is expected to pass in a moment. */
  problem: string | null;
}

/** Result of a heartbeat. */
export interface BeatView {
  shares: ShareView;
  /** Changes when a pause begins, changes or ends. */
  pauses: string;
  /** Changes when the set of waiting retries changes. */
  retries: string;
  /** Database clock at the answer, ms since 1970. */
  databaseTimeMs: number;
}
