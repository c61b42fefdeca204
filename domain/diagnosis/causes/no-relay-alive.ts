import { ourCommand } from "#domain/text/our-command.ts";
import { formatDuration, formatLimit, formatPlural } from "../../format.ts";
import { isGone } from "../../relay/slot-lag.ts";
import type { CauseDraft, DiagnosisInput, DiagnosisSettings, Rule } from "../cause.ts";
import type { RelayReading } from "../facts/relays.ts";
import {
  ageOf,
  ageSecondsOf,
  allWaits,
  backWithinSeconds,
  byAge,
  evidenceOf,
  formatInstant,
  formatSince,
  heldUp,
  isOfOutage,
  lastErrorOf,
  pagePath,
  shortError,
} from "../phrases.ts";
import { sinkCause } from "../sink-words.ts";

/** True if the relay's last heartbeat is recent and it did not stop cleanly. */
export function isAlive(relay: RelayReading, settings: DiagnosisSettings, asOf: string): boolean {
  return relay.state !== "stopped" && ageSecondsOf(relay.heartbeatAt, asOf) < settings.relaySilentSeconds;
}

/** A publish this recent shows that something still goes out. */
const FLOWS_SECONDS = 30;

/** True if this relay has published lately, and since that instant. */
export function hasPublishedSince({ lastPublishedAt: last }: RelayReading, since: string, asOf: string): boolean {
  return last !== null && Date.parse(last) > Date.parse(since) && ageSecondsOf(last, asOf) <= FLOWS_SECONDS;
}

/** The oldest first, so that what is said of the first one does not change with whose heartbeat was the last. */
export function aliveRelays({ settings, facts, asOf }: DiagnosisInput): RelayReading[] {
  return (facts.relays?.instances ?? [])
    .filter((one) => isAlive(one, settings, asOf))
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt) || one.id.localeCompare(other.id));
}

export const noRelayAlive: Rule = {
  rule: "no_relay_alive",
  title: "No relay alive",
  definition: "This program should relay the outbox, and no relay instance sends a heartbeat.",
  threshold: (settings) =>
    `no heartbeat for ${formatLimit(settings.relaySilentSeconds)}; a warning for ${formatLimit(settings.restartSeconds)} after a clean stop`,
  needs: ["relays"],
  evaluate: (input) => {
    if (input.settings.mode !== "relay") return [];
    const [standby] = aliveRelays(input);
    if (standby) return isToResume(input) ? [toResume(input, standby)] : [];
    const last = input.facts.relays?.instances[0];
    if (isReconnecting(input, last)) return [reconnecting(input, last)];
    return [isRestarting(input, last) ? restarting(input, last) : dead(input, last)];
  },
};

/** True if relays are there again, and none has taken the outbox since it could be used again a moment ago. */
export function isToResume(input: DiagnosisInput): boolean {
  const { outage } = input;
  const alive = aliveRelays(input);
  const isRecent = outage != null && outage.endedSeconds < backWithinSeconds(outage);
  return isRecent && alive.length > 0 && alive.every(({ state }) => state === "standby");
}

/** True if its heartbeats ended when the database stopped answering us, and the database has just answered again. */
function isReconnecting(input: DiagnosisInput, last: RelayReading | undefined): last is RelayReading {
  const { settings } = input;
  return (
    last !== undefined && last.state !== "stopped" && isOfOutage(input, last.heartbeatAt, settings.relaySilentSeconds)
  );
}

function isRestarting({ settings, asOf }: DiagnosisInput, last: RelayReading | undefined): last is RelayReading {
  return (
    last?.state === "stopped" && last.breaker === null && ageSecondsOf(last.heartbeatAt, asOf) < settings.restartSeconds
  );
}

/** A second cause, which starting a relay would not fix. */
function sinkAtTheEnd(last: RelayReading | undefined): string | null {
  if (!last?.breaker) return null;
  const { code, message } = last.breaker;
  return `when it was last heard, ${sinkCause({ sink: last.sinkName, code, message: shortError(message) })}`;
}

/**
 * A relay is expected within seconds. Until then this is why messages are late, however long they have waited before.
 */
function expectedBack(input: DiagnosisInput): Pick<CauseDraft, "word" | "severity"> {
  const isLate = input.figures.judged.oldestPending !== "pass";
  return { word: isLate ? "late" : "at_risk", severity: byAge(input) };
}

/** For a recent clean stop while its sink worked: a deploy stops one worker and starts the next. */
function restarting(input: DiagnosisInput, last: RelayReading): CauseDraft {
  const { settings } = input;
  const limit = formatLimit(settings.restartSeconds);
  return {
    ...common(input, last),
    ...expectedBack(input),
    headline: "Restarting",
    subject: `process ${last.pid} on ${last.host}`,
    what: `the relay is restarting: it stopped cleanly at ${formatSince(last.heartbeatAt, input.asOf)}, and another is expected within ${limit}`,
    saysSince: false,
    diagnosis: `The relay (process ${last.pid} on ${last.host}) was stopped cleanly. Until another one starts, nothing is published. After ${limit} this is a failure.`,
    nextStep: `Wait for the deploy to start the next worker. If none is planned, start one: ${ourCommand("worker")}.`,
    since: last.heartbeatAt,
  };
}

const BACK = {
  database: {
    what: "the database answers again, but no relay has reported yet",
    could: "The console could not use the database",
    step: "Wait for the relay to connect again. If it does not, read its log.",
  },
  table: {
    what: "the outbox can be read again, but no relay has resumed yet",
    could: "The console could not use the outbox's table",
    step: "Wait for the relay: it looks at the table every few seconds. If it does not resume, read its log.",
  },
  writes: {
    what: "the database takes writes again, but no relay has reported yet",
    could: "The database took no writes",
    step: "Wait for the relay: its next heartbeat is due. If none comes, read its log.",
  },
} as const;

function reconnecting(input: DiagnosisInput, last: RelayReading): CauseDraft {
  const { outage } = input;
  const limit = formatDuration(outage ? backWithinSeconds(outage) : 0);
  const { what, could, step } = BACK[outage?.of ?? "database"];
  return {
    ...common(input, last),
    ...expectedBack(input),
    headline: "Reconnecting",
    subject: `process ${last.pid} on ${last.host}`,
    what,
    saysSince: false,
    diagnosis: `${could} for ${formatDuration(outage?.seconds ?? 0)}, and no relay has sent a heartbeat since. The last one, process ${last.pid} on ${last.host}, was alive before. If none reports within ${limit}, this is a failure.`,
    nextStep: step,
    since: last.heartbeatAt,
  };
}

function toResume(input: DiagnosisInput, standby: RelayReading): CauseDraft {
  return {
    ...reconnecting(input, standby),
    title: "No relay has resumed",
    what: `${input.outage?.of === "table" ? "the outbox can be read again" : "the database can be used again"}, but no relay has resumed yet`,
    diagnosis: `${BACK[input.outage?.of ?? "database"].could} for ${formatDuration(input.outage?.seconds ?? 0)}. The relay (process ${standby.pid} on ${standby.host}) reports again, and has not taken the outbox yet.`,
    nextStep: BACK.table.step,
    since: standby.lastPublishedAt ?? standby.startedAt,
  };
}

/** Before the migration of an upgrade: relays of the earlier version may go on. */
function withOlderTables(input: DiagnosisInput): CauseDraft {
  return {
    ...common(input, undefined),
    ...expectedBack(input),
    word: "unknown",
    title: "Own tables older",
    subject: "own tables older",
    what: "the console's own tables in this database are older than this program, so what the relays do is not known",
    saysSince: false,
    diagnosis:
      "An earlier version of this program made these tables, and its relays may go on with them. Before the migration no relay of this version runs, and nobody can act.",
    nextStep: `Stop workers of the earlier version, run ${ourCommand("migrate")}, and start workers of this one.`,
    since: null,
  };
}

/** Without our own tables: they were never created, or dropped since. */
function withoutTables(input: DiagnosisInput): CauseDraft {
  return {
    ...common(input, undefined),
    word: "not_delivering",
    severity: "fail",
    subject: "own tables missing",
    what: "the console's own tables are not in this database, and no relay can run without them",
    saysSince: false,
    diagnosis:
      "Nothing publishes this outbox. Whether a relay has ever run is not known without them: they were never created, or were dropped.",
    nextStep: `If they were there before, restore them from a backup: dead letters, archived messages and the audit are in them. Otherwise create them (${ourCommand("migrate")}). A worker that runs then continues; if none runs, start one (${ourCommand("worker")}).`,
    since: input.figures.oldestDueAt,
  };
}

function dead(input: DiagnosisInput, last: RelayReading | undefined): CauseDraft {
  const { facts, figures, asOf } = input;
  if (facts.relays === null) return input.settings.ownTablesOlder ? withOlderTables(input) : withoutTables(input);
  const pause = facts.relays?.pause;
  const heard = last
    ? `The last one, process ${last.pid} on ${last.host}, ${last.state === "stopped" ? "was stopped" : "sent its last heartbeat"} ${ageOf(last.heartbeatAt, asOf)} ago${last.state === "stopped" ? "" : " and did not stop cleanly"}.`
    : "None has ever sent a heartbeat here.";
  return {
    ...common(input, last),
    word: "not_delivering",
    severity: pause && figures.waiting === 0 ? "warn" : "fail",
    subject: last ? `process ${last.pid} on ${last.host}` : "none has ever run",
    what: whatOf(last, asOf),
    ...(last && last.state !== "stopped" ? {} : { saysSince: false }),
    diagnosis: `Nothing publishes this outbox. ${heard}${pause ? " The outbox is also paused, and nothing could resume it." : ""}`,
    nextStep: `Start a worker (${ourCommand("worker")}), or read its log to see why it ended. ${isCutOff(input) ? "It takes over within seconds, but publishes nothing until the log can be read; Stuck names what is missing." : "Starting one is safe: it takes over within seconds and repeats at most what was in flight."}`,
    since: last?.heartbeatAt ?? figures.oldestDueAt,
  };
}

/** No row is marked, and the log that says what to send is lost. */
function isCutOff({ settings, facts }: DiagnosisInput): boolean {
  const stream = facts.relays?.instances.find((one) => one.stream !== null)?.stream;
  return settings.byLog && stream != null && isGone(stream);
}

function whatOf(last: RelayReading | undefined, asOf: string): string {
  if (!last) return "no relay is alive, and none has ever run";
  if (last.state !== "stopped") return "no relay is alive";
  return `no relay is alive, and the last one stopped at ${formatSince(last.heartbeatAt, asOf)}`;
}

function instancesOf(count: number): string {
  return count > 0 ? formatPlural(count, "instance") : "none";
}

function common(input: DiagnosisInput, last: RelayReading | undefined) {
  const { settings, facts } = input;
  const instances = facts.relays?.instances ?? [];
  const pause = facts.relays?.pause;
  return {
    key: "relay",
    title: "No relay alive",
    clauses: [
      allWaits(input),
      sinkAtTheEnd(last),
      pause ? `also paused by ${pause.by}: ${shortError(pause.reason)}` : null,
    ],
    next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
    ...heldUp(input),
    aggregates: null,
    evidence: evidenceOf({
      ...(facts.relays === null ? {} : { "Known instances": instancesOf(instances.length) }),
      "Last heartbeat": last ? formatInstant(last.heartbeatAt) : null,
      "Last published": last?.lastPublishedAt ? formatInstant(last.lastPublishedAt) : null,
      ...lastErrorOf(last),
      Paused: pause ? `by ${pause.by}: ${pause.reason}` : null,
    }),
  } satisfies Partial<CauseDraft>;
}
