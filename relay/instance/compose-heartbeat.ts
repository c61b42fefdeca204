import { hostname } from "node:os";
import type { RelayHeartbeat } from "#db/stores/port/relay/relay-heartbeat.ts";
import type { DatabaseClock, Moment } from "../clock/database-clock.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { RelayStats } from "../pipeline/state/relay-stats.ts";
import type { StreamReport } from "../stream/stream-report.ts";
import type { OutboxRelayOptions } from "./outbox-relay-options.ts";

export interface RelayNow {
  state: RelayHeartbeat["state"];
  stats: RelayStats;
  clock: DatabaseClock;
  streamReport: StreamReport;
  /** Of the current term; undefined between terms. */
  pipeline: Pipeline | undefined;
  /** Number of partitions it owns. */
  partitions: number;
  /** Whether the sink could be used; null of a relay that has not used it. */
  breaker: RelayHeartbeat["breaker"];
}

/** What a relay says of itself now; times are on the database's clock. */
export function composeHeartbeat(options: OutboxRelayOptions, now: RelayNow): RelayHeartbeat {
  const { id, version, source, sink, sinkName, table } = options;
  const { state, stats, clock, streamReport, pipeline, partitions, breaker } = now;
  const unread = streamReport.error(pipeline);
  const at = (moment: Moment | null | undefined) => moment?.at(clock) ?? null;
  return {
    id,
    host: hostname(),
    pid: process.pid,
    version,
    state,
    source,
    sink: { name: sinkName, ...sink.describe(), ordering: table.ordering.kind },
    published: stats.published,
    failures: stats.failures,
    inFlight: pipeline?.inFlight ?? 0,
    lastPublishedAt: at(stats.lastPublished),
    lastError: unread?.message ?? stats.lastError,
    lastErrorAt: at(unread?.at ?? stats.lastErrorAt),
    stream: streamReport.state(pipeline, clock, state === "stopping" || state === "stopped"),
    breaker,
    routes: pipeline?.routes ?? [],
    foreignPublished: stats.foreign,
    foreignUnclaimed: stats.foreignUnclaimed,
    foreignSince: at(stats.foreignSince),
    foreignLastAt: at(stats.foreignLast),
    clockOffsetMs: clock.offsetMs,
    settlingSince: at(pipeline?.settlingSince),
    lateCommits: stats.lateCommits,
    partitions,
    latency: stats.latency,
  };
}
