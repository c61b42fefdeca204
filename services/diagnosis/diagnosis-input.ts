import type { Rates } from "#db/records/read-samples.ts";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import type { DiagnosisInput } from "#domain/diagnosis/cause.ts";
import type { ConnectorFacts } from "#domain/diagnosis/facts/connector.ts";
import type { ConsumersFacts } from "#domain/diagnosis/facts/consumers.ts";
import type { RelayFacts } from "#domain/diagnosis/facts/relays.ts";
import type { MonitorFacts, StoreFacts } from "#domain/diagnosis/facts/store-facts.ts";
import type { OutageOf } from "../outboxes/outbox-outages.ts";
import { areRowsHidden, hiddenRows } from "../outboxes/row-security.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import type { Outage } from "../stores/outage-memory.ts";
import { judgeLimits } from "./judged-limits.ts";
import { pausedUntil } from "./paused-until.ts";
import { settingsOf } from "./settings-of.ts";
import { staleRows } from "./stale-rows.ts";
import type { Watched } from "./watched-facts.ts";
import { withoutStale } from "./without-stale.ts";

/** Builds the diagnosis input of an outbox. Call it once per reading: the limits have hysteresis. */
export function diagnosisInput(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  figures: OutboxFigures;
  rates: Rates | null;
  monitor: MonitorFacts | null;
  watched: Watched;
  consumers: ConsumersFacts | null;
  /** Left out if it could not be read in time. */
  readOnly?: StoreFacts["readOnly"];
  /** The last ones of this outbox. */
  outages: Record<OutageOf, Outage | null>;
  connector?: ConnectorFacts | null;
}): DiagnosisInput {
  const { runtime, handle, figures, rates, monitor, watched, consumers, connector, readOnly, outages } = input;
  const { counts, waiting } = figures;
  const { pending, failed, in_flight, dead, unknown } = counts;
  const byLog = handle.mapping.lifecycle.kind === "log";
  const oldestSeconds = waiting.oldest?.ageSeconds ?? null;
  return {
    settings: settingsOf(handle),
    asOf: figures.judgedAt,
    outage: latestOutage(handle.store.guard.outage, outages),
    figures: {
      waiting: pending.value + failed.value + in_flight.value,
      waitingBefore: rates?.backlog ?? null,
      waitingEstimated: [pending, failed, in_flight].some(({ precision }) => precision === "estimate"),
      waitingCapped: byLog || pending.precision === "capped" || failed.precision === "capped",
      // An oldest found within a budget is a lower bound of the age, so waiting is still known.
      // A count that our records lack would not become known by an index.
      waitingKnown:
        staleRows(figures) === null &&
        handle.mapping.lifecycle.kind !== "untold" &&
        ((byLog && !tableUnread(handle, figures)) ||
          (pending.precision !== "unknown" && (waiting.oldestKnown || waiting.oldest !== null || !agesKnown(handle)))),
      unknownBecause: unknownBecause(handle, figures),
      standsStill: staleRows(figures) !== null,
      tableLocked: figures.tableLocked,
      failed: failed.value,
      dead: dead.value,
      failedCapped: failed.precision === "capped",
      deadCapped: dead.precision === "capped",
      unknownCapped: unknown.precision === "capped",
      deadKnown: dead.precision !== "unknown" || tableUnread(handle, figures),
      unknown: isUntold(handle) ? 0 : unknown.value,
      unknownKnown: unknown.precision !== "unknown",
      oldestSeconds,
      oldestDueAt: waiting.oldest?.dueAt ?? null,
      agesKnown: agesKnown(handle),
      oldestClaimSeconds: waiting.oldestClaimSeconds,
      inPerSecond: rates?.inPerSecond ?? null,
      outPerSecond: rates?.outPerSecond ?? null,
      failuresPerSecond: rates?.failuresPerSecond ?? null,
      judged: judgeLimits(runtime, handle.name, handle.config.thresholds, {
        oldestSeconds,
        dead: dead.value,
        failed: failed.value,
      }),
    },
    facts: {
      ...withoutStale(watched.facts, {
        ...figures,
        writesAgain: takesWritesSince(watched, outages.writes),
        newerThanClaims: agesKnown(handle) && isNewerThanClaims(watched, figures),
      }),
      // With a connector, its own facts replace the state that the rows lack.
      mappingStop: handle.config.debezium && handle.stop?.code === "lifecycle_untold" ? null : handle.stop,
      relays: handle.storeSide
        ? { ...relayFacts(figures), pausedUntil: pausedUntil(runtime, handle.name, figures) }
        : null,
      monitor,
      consumers,
      ...(connector === undefined ? {} : { connector }),
      ...(readOnly === undefined ? {} : { readOnly }),
      consoleClock: { offsetMs: figures.consoleOffsetMs },
    },
  };
}

/** The database has taken writes again since its lock holders were read. */
function takesWritesSince({ locksReadSeconds }: Watched, outage: Outage | null): boolean {
  return outage !== null && locksReadSeconds !== null && outage.endedSeconds <= locksReadSeconds;
}

/** After an outage, claims are read as expired until the relay has renewed its lease, and their messages go out soon. */
function isNewerThanClaims({ claimsReadSeconds }: Watched, { waiting }: OutboxFigures): boolean {
  if (claimsReadSeconds === null || !waiting.oldestKnown) return false;
  return (waiting.oldest?.ageSeconds ?? 0) < claimsReadSeconds;
}

/** The outage that ended last; the database's if others ended with it, because it caused them. */
function latestOutage(ofDatabase: Outage | null, { table, writes }: Record<OutageOf, Outage | null>) {
  const found: DiagnosisInput["outage"][] = [
    ofDatabase,
    table && { ...table, of: "table" },
    writes && { ...writes, of: "writes" },
  ];
  const [last] = found
    .filter((one) => one != null)
    .toSorted(
      (one, other) =>
        Math.floor(one.endedSeconds / SAME_END_SECONDS) - Math.floor(other.endedSeconds / SAME_END_SECONDS),
    );
  return last ?? null;
}

const SAME_END_SECONDS = 5;

/** If true, another cause already reports that the table cannot be read. */
function tableUnread(handle: OutboxHandle, figures: OutboxFigures): boolean {
  return figures.tableLocked || areRowsHidden(handle, figures);
}

/** Rows have no state by design: a stop gives the reason, or the relay's place in the log has the progress. */
function isUntold({ mapping }: OutboxHandle): boolean {
  return mapping.lifecycle.kind === "untold" || mapping.lifecycle.kind === "log";
}

function agesKnown({ mapping }: OutboxHandle): boolean {
  return mapping.columns.createdAt !== undefined;
}

function unknownBecause(handle: OutboxHandle, figures: OutboxFigures): string | null {
  if (figures.tableLocked) return "another session has locked the whole table";
  return areRowsHidden(handle, figures) ? hiddenRows(handle.mapping.table) : staleRows(figures);
}

/** The relays in the diagnosis's form, last heartbeat first. */
function relayFacts({ relays, pause, partialPauses }: OutboxFigures): RelayFacts {
  const heard = relays.toSorted((one, other) => one.heartbeatAgeSeconds - other.heartbeatAgeSeconds);
  return {
    instances: heard.map((row) => ({
      ...row,
      sinkName: row.sink.name,
      sinkAddress: row.sink.address,
      ordering: row.sink.ordering ?? null,
    })),
    pause: pause ? { reason: pause.reason, by: pause.by, until: pause.until } : null,
    partial: partialPauses,
  };
}
