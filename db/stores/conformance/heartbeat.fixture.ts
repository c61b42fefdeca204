import type { RelayHeartbeat } from "../port/relay/relay-heartbeat.ts";

/** Heartbeat of a relay that has just begun a term and published nothing. */
export function makeHeartbeat(id: string, more: Partial<RelayHeartbeat> = {}): RelayHeartbeat {
  return {
    id,
    host: "host-1",
    pid: 42,
    version: "1.2.3",
    state: "owner",
    source: "polling",
    sink: { name: "events", kind: "log", address: "here" },
    published: 0,
    failures: 0,
    inFlight: 0,
    lastPublishedAt: null,
    lastError: null,
    lastErrorAt: null,
    breaker: null,
    routes: [],
    foreignPublished: 0,
    foreignUnclaimed: 0,
    foreignSince: null,
    foreignLastAt: null,
    clockOffsetMs: null,
    settlingSince: null,
    lateCommits: 0,
    stream: null,
    partitions: 0,
    latency: [],
    ...more,
  };
}
