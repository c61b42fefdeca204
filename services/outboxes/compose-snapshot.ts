import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { Rates } from "#db/records/read-samples.ts";
import { orderingOf } from "#db/stores/port/ordering.ts";
import type { CountFigure, OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import type { RelayRow } from "#db/stores/port/relay-rows.ts";
import type { Cause, DiagnosisInput } from "#domain/diagnosis/cause.ts";
import { verdictOf } from "#domain/diagnosis/verdict.ts";
import { RELAY_SILENT_SECONDS } from "../diagnosis/settings-of.ts";
import { toVerdict } from "../diagnosis/to-contract.ts";
import type { OutboxHandle } from "../runtime.ts";

/** Builds the snapshot that pages, health and metrics read, from one reading's figures and diagnosis. Pure. */
export function composeSnapshot(input: {
  handle: OutboxHandle;
  figures: OutboxFigures;
  rates: Rates | null;
  monitor: Snapshot["monitor"];
  diagnosis: DiagnosisInput;
  causes: readonly Cause[];
  consumers: Snapshot["consumers"];
}): Snapshot {
  const { handle, figures, rates, diagnosis, causes } = input;
  const { counts, waiting, asOf } = figures;
  const { thresholds, mode } = handle.config;
  const { untold, byLog } = diagnosis.settings;
  const seconds = (ms: number) => ms / 1000;
  const { archived, expired, unknown, pending, failed, in_flight, dead, published } = counts;
  return {
    outbox: handle.name,
    asOf,
    tookMs: Math.round(figures.tookMs),
    counts: {
      ...{ failed, in_flight, dead, archived, expired, unknown },
      ...(untold ? { pending: NOT_KNOWN, published: NOT_KNOWN } : { pending, published }),
    },
    scheduled: waiting.scheduled,
    blocked: {
      messages: blockedFigure(waiting.blocked),
      aggregates: waiting.blocked.aggregates,
      oldestAgeSeconds: waiting.blocked.oldestAgeSeconds,
    },
    oldestPending: waiting.oldest && { id: waiting.oldest.id, ageSeconds: waiting.oldest.ageSeconds },
    oldestPendingKnown: waiting.oldestKnown && !untold,
    rowsTell: !untold && !byLog,
    oldestClaimSeconds: waiting.oldestClaimSeconds,
    nextRetryInSeconds: waiting.nextRetryInSeconds,
    deadLast24h: waiting.deadLast24h,
    rates: {
      inPerSecond: rates?.inPerSecond ?? null,
      outPerSecond: rates?.outPerSecond ?? null,
      failuresPerSecond: rates?.failuresPerSecond ?? null,
    },
    latency:
      rates?.p50Ms != null && rates.p99Ms != null
        ? { p50Ms: rates.p50Ms, p99Ms: rates.p99Ms, basis: "messages published in the last seconds" }
        : null,
    relays: mode === "relay" ? relaySummary(figures) : null,
    thresholds: {
      oldestPending: {
        warnSeconds: seconds(thresholds.oldestPending.warn),
        failSeconds: seconds(thresholds.oldestPending.fail),
      },
      dead: thresholds.dead,
      failed: thresholds.failed,
    },
    consumers: input.consumers,
    connector: connectorSummary(handle, diagnosis),
    ordering: orderingOf(handle.mapping, handle.config.relay?.ordering ?? "aggregate", handle.store.capabilities),
    judged: diagnosis.figures.judged,
    monitor: input.monitor,
    verdict: toVerdict(handle.name, verdictOf(diagnosis, causes), causes),
  };
}

/** "At least 0" is not known. */
function blockedFigure({ messages, capped }: OutboxFigures["waiting"]["blocked"]): CountFigure {
  if (!capped) return { value: messages, precision: "exact" };
  return messages === 0 ? NOT_KNOWN : { value: messages, precision: "capped" };
}

/** Only a place outside the table shows which rows wait, such as Debezium's offset. */
const NOT_KNOWN = { value: 0, precision: "unknown" } as const;

function connectorSummary({ config }: OutboxHandle, { facts }: DiagnosisInput): Snapshot["connector"] {
  if (!config.debezium) return null;
  const { connector, connectorSlot: slot } = facts;
  const tasks = connector?.tasks ?? [];
  const running = tasks.filter(({ state }) => state === "RUNNING").length;
  return {
    name: config.debezium.connector,
    state: connector?.state ?? null,
    tasks: connector?.state ? { running, known: tasks.length } : null,
    lagBytes: slot?.lagBytes ?? null,
    unconfirmedBytes: slot?.unconfirmedBytes ?? null,
  };
}

function aliveRelays(figures: OutboxFigures): RelayRow[] {
  return figures.relays.filter(
    (relay) => relay.heartbeatAgeSeconds < RELAY_SILENT_SECONDS && relay.state !== "stopped",
  );
}

function relaySummary(figures: OutboxFigures): NonNullable<Snapshot["relays"]> {
  const alive = aliveRelays(figures);
  const recent = figures.relays.filter((relay) => relay.state !== "stopped" && relay.heartbeatAgeSeconds < 3600);
  const [broken] = alive
    .filter((relay) => relay.breaker !== null)
    .sort((one, other) => (one.breaker?.since ?? "").localeCompare(other.breaker?.since ?? ""));
  const { eventTypes, aggregates, holds } = figures.partialPauses;
  const ages = figures.relays.map((relay) => relay.heartbeatAgeSeconds);
  return {
    alive: alive.length,
    known: Math.max(alive.length, recent.length),
    heartbeatAgeSeconds: ages.length > 0 ? Math.min(...ages) : null,
    breaker: broken?.breaker
      ? {
          sink: broken.sink.name,
          code: broken.breaker.code,
          message: broken.breaker.message,
          since: broken.breaker.since,
        }
      : null,
    stream: figures.relays.find((relay) => relay.stream !== null)?.stream ?? null,
    paused: figures.pause ? { reason: figures.pause.reason, by: figures.pause.by, until: figures.pause.until } : null,
    partialPauses: { eventTypes, aggregates, holds },
  };
}
