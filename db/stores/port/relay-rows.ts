import type { StreamReading } from "#domain/diagnosis/facts/relays.ts";
import type { RouteOutage } from "./relay/route-outage.ts";

/** A relay instance as of its last heartbeat. */
export interface RelayRow {
  id: string;
  outbox: string;
  host: string;
  pid: number;
  version: string;
  startedAt: string;
  heartbeatAt: string;
  heartbeatAgeSeconds: number;
  state: string;
  source: string;
  /** `ordering`: what the instance keeps in order; absent in rows of earlier versions. */
  sink: { name: string; kind: string; address: string; ordering?: string };
  published: number;
  failures: number;
  publishedPerSecond: number | null;
  inFlight: number;
  lastPublishedAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
  breaker: { code: string; message: string; since: string; nextProbeAt: string | null } | null;
  /** Open breakers of routes, the longest outage first. */
  routes: RouteOutage[];
  /** Claimed messages that another program had published or removed when we settled them; cumulative. */
  foreignPublished: number;
  /** Rows that another program published and the relay never claimed, as far as it looked; cumulative. */
  foreignUnclaimed: number;
  foreignSince: string | null;
  foreignLastAt: string | null;
  /** The relay host's wall clock minus the database's clock, ms; null if never measured. */
  clockOffsetMs: number | null;
  /** Start of the oldest settle still being written at the last heartbeat. */
  settlingSince: string | null;
  lateCommits: number;
  /** As of its last heartbeat. */
  partitions: number;
  stream: StreamReading | null;
  latency: number[];
}

export interface LeaseRow {
  outbox: string;
  /** Ascending. */
  partitions: number[];
  /** Empty if never owned. */
  owner: string;
  epoch: number;
  /** The earliest expiry among them, past or future. */
  until: string;
  expired: boolean;
}

/** Totals of all relays an outbox ever had, retired ones included. */
export interface RelayTotals {
  published: number;
  failures: number;
  /** Per bucket of domain/relay/latency-histogram.ts. */
  latency: number[];
}
