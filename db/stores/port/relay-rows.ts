import type { StreamReading } from "#domain/diagnosis/facts.ts";
import type { RouteOutage } from "./relay/route-outage.ts";

/** A relay instance as it last said. */
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
  sink: { name: string; kind: string; address: string };
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
  /** Claimed messages that someone else had published or taken away when they were settled; cumulative. */
  foreignPublished: number;
  /** Rows that someone else published and the relay never claimed, as far as it looked; cumulative. */
  foreignUnclaimed: number;
  foreignSince: string | null;
  foreignLastAt: string | null;
  /** The relay host's wall clock minus the database's clock; null when it was never measured. */
  clockOffsetMs: number | null;
  /** Start of the oldest settle that was being written as it last said. */
  settlingSince: string | null;
  lateCommits: number;
  /** As it last said. */
  partitions: number;
  stream: StreamReading | null;
  latency: number[];
}

export interface LeaseRow {
  outbox: string;
  /** Ascending. */
  partitions: number[];
  /** Empty when nobody ever had them. */
  owner: string;
  epoch: number;
  /** When the first of them runs out, or ran out. */
  until: string;
  expired: boolean;
}

/** What all relays of an outbox have ever done, forgotten ones included. */
export interface RelayTotals {
  published: number;
  failures: number;
  /** Per bucket of domain/latency-histogram.ts. */
  latency: number[];
}
