import type { Withheld } from "../../message/withheld.ts";
import type { LogReaderKind } from "../../relay/slot-lag.ts";

/** An open breaker of one route: all its messages fail while others get through. */
export interface RouteBreaker {
  kind: "event_type" | "topic";
  name: string;
  code: string;
  message: string;
  /** First failure of the outage. */
  since: string;
  nextProbeAt: string | null;
  /** Aggregates with a failed message or one waiting behind it, among those that the relay has read. */
  aggregates: number;
}

/**
 * How a relay reads the log. `connected` and `since` come from its last heartbeat, the slot's figures from the server.
 */
export interface StreamReading {
  reader: LogReaderKind;
  /** Name of the slot or of the reader. */
  slot: string;
  /** Bytes of log not read yet; null if the slot is gone, or for a binlog if that is unknown. */
  lagBytes: number | null;
  walStatus: string | null;
  connected: boolean;
  since: string;
  /** Why the log is not read, as a sentence; null while it is, and while that is expected to pass in a moment. */
  problem: string | null;
}

export interface RelayReading {
  id: string;
  host: string;
  pid: number;
  state: string;
  startedAt: string;
  heartbeatAt: string;
  /** Messages that are with the sink, not confirmed yet. */
  inFlight: number;
  lastPublishedAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
  sinkName: string;
  sinkAddress: string;
  /** What it keeps in order: `none`, or a kind of order per aggregate; null if it did not say. */
  ordering: string | null;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  /** Null for a relay that polls. */
  stream: StreamReading | null;
  routes: RouteBreaker[];
  /** Messages that this relay had claimed and someone else marked as published before its settle. */
  foreignPublished: number;
  /** Rows that someone else published and this relay never claimed, among those that it sampled. */
  foreignUnclaimed: number;
  /** First and last sign of another publisher; `foreignSince` restarts after a minute without one. */
  foreignSince: string | null;
  foreignLastAt: string | null;
  /** The relay host's clock minus the database's. */
  clockOffsetMs: number | null;
  /** Start of the oldest unfinished settle, as of the last heartbeat. If it is long ago, rows are locked. */
  settlingSince: string | null;
}

export interface RelayFacts {
  /** Latest heartbeat first. */
  instances: RelayReading[];
  /** A pause of the whole outbox that has not expired. */
  pause: { reason: string; by: string; until: string | null } | null;
  /** When the outbox or a part of it was last seen paused: what waited until then was held back. Left out: never. */
  pausedUntil?: string | null;
  partial: Withheld;
}

/** A relay whose last heartbeat is older than this has missed some. */
export const SILENT_SOON_SECONDS = 4;
