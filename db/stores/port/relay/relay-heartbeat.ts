import type { StreamStatus } from "./relay-stream.ts";
import type { RouteOutage } from "./route-outage.ts";
import type { ShareView } from "./share-view.ts";

/** Instants are of the database clock. */
export interface RelayHeartbeat {
  id: string;
  host: string;
  pid: number;
  version: string;
  state: "owner" | "standby" | "paused" | "holding" | "stopping" | "stopped";
  source: string;
  sink: { name: string; kind: string; address: string };
  published: number;
  failures: number;
  inFlight: number;
  lastPublishedAt: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  /** Routes that are held back while the rest flows; the longest outage first. */
  routes: RouteOutage[];
  /** Claimed messages that someone else had published or taken away when they were settled; cumulative. */
  foreignPublished: number;
  /** Rows that someone else published and this relay never claimed, as far as it looked; cumulative. */
  foreignUnclaimed: number;
  /** First and last sign of someone else publishing; `foreignSince` begins anew after a quiet minute. */
  foreignSince: Date | null;
  foreignLastAt: Date | null;
  /** This host's wall clock minus the database's clock; null until it was measured. */
  clockOffsetMs: number | null;
  /** Start of the oldest settle that is still being written; null when none is. */
  settlingSince: Date | null;
  lateCommits: number;
  /** Of a relay that reads the log. */
  stream: StreamState | null;
  /** How many partitions it owns. */
  partitions: number;
  /** Cumulative counts per latency bucket, see domain/latency-histogram.ts. */
  latency: number[];
}

/** How a relay's reading of the log stands. */
export interface StreamState extends StreamStatus {
  connected: boolean;
  /** RFC 3339: since when it is connected, or not. */
  since: string;
}

/** What a heartbeat finds. */
export interface BeatView {
  shares: ShareView;
  /** Differs from the last one when a pause has begun, changed or ended. */
  pauses: string;
  /** Differs from the last one when what waits for a retry has changed. */
  retries: string;
  /** The database clock when it answered, ms since 1970. */
  databaseTimeMs: number;
}
