import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { HealthCheck } from "#contracts/watch/health.ts";
import type { CauseCode, CauseWord } from "#domain/diagnosis/words.ts";
import { type HealthStatus, worstStatus } from "#domain/figures/limits.ts";
import { isUnreal } from "#domain/figures/unreal-time.ts";
import { boundOf, capitalize, formatDuration, formatPlural, sentence } from "#domain/format.ts";
import { describeWithheld } from "#domain/message/withheld.ts";
import { describeSlot, judgeSlot, SLOT_LAG_LIMITS } from "#domain/relay/slot-lag.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { headlineOf } from "./headline.ts";

/** A cause with one of these words holds up waiting messages; dead ones wait for nothing. */
const HOLDS_UP: readonly CauseWord[] = ["not_delivering", "in_part", "late", "paused"];
const OF_THE_DEAD: readonly CauseCode[] = ["dead_letters", "unroutable_type"];

/** Of the Stuck page, with the finding of the cause selected. */
type FindingLinks = (cause: Snapshot["verdict"]["causes"][number] | undefined) => Record<string, string>;

/** The checks of one outbox by name, from one snapshot. Every status is the verdict's or a part of it. Pure. */
export function outboxChecks(snapshot: Snapshot): Record<string, HealthCheck> {
  const { outbox, thresholds, counts, relays, judged, verdict, asOf } = snapshot;
  const link = (page: string) => ({
    console: `/${page}${page.includes("?") ? "&" : "?"}outbox=${encodeURIComponent(outbox)}`,
  });
  const stuck: FindingLinks = (cause) => link(cause ? `stuck?finding=${encodeURIComponent(cause.id)}` : "stuck");
  const within = (status: HealthStatus) => lesserOf(status, verdict.status);
  const oldest = snapshot.oldestPending?.ageSeconds ?? 0;
  const known = snapshot.oldestPendingKnown || snapshot.oldestPending !== null;
  // If rows do not show it, other checks judge the publisher.
  const unknown = snapshot.rowsTell ? "warn" : "pass";
  const checks: Record<string, HealthCheck> = {
    verdict: {
      componentType: "component",
      status: verdict.status,
      observedValue: verdict.word,
      time: asOf,
      output: headlineOf(verdict),
      ...(verdict.since === null ? {} : { since: verdict.since }),
      ...(verdict.next === null ? {} : { links: { console: verdict.next.href } }),
    },
    oldestPending: {
      componentType: "datastore",
      status: known ? within(judged.oldestPending) : unknown,
      observedValue: known ? Number(oldest.toFixed(3)) : null,
      observedUnit: "s",
      time: asOf,
      output: oldestOutput(snapshot),
      threshold: { warn: thresholds.oldestPending.warnSeconds, fail: thresholds.oldestPending.failSeconds },
      ...(verdict.cause === null ? {} : { hint: verdict.cause }),
      links: link("messages?state=unsent"),
    },
    dead: {
      ...countCheck("dead", counts.dead, asOf),
      status: counts.dead.precision === "unknown" ? within("warn") : within(judged.dead),
      threshold: thresholds.dead,
      links: link("messages?state=dead"),
    },
    failed: {
      ...countCheck("in the state failed", counts.failed, asOf),
      status: counts.failed.precision === "unknown" ? within("warn") : within(judged.failed),
      threshold: thresholds.failed,
      links: link("messages?state=failed"),
    },
    clock: clockCheck(snapshot),
  };
  if (snapshot.connector) checks.connector = connectorCheck(snapshot, snapshot.connector, link("relays"));
  else if (snapshot.rowsTell && counts.unknown.value > 0) {
    checks.unknown = {
      ...countCheck("of a status that the mapping does not name", counts.unknown, asOf),
      status: "warn",
      links: link("messages?state=unknown"),
    };
  }
  if (snapshot.consumers.length > 0) checks.processed = processedCheck(snapshot, within, link("inbox"));
  if (relays) {
    checks.relay = relayCheck(snapshot, relays, link("relays"));
    checks.progress = progressCheck(snapshot, stuck);
    if (relays.stream) checks.slotLag = slotCheck(snapshot, relays.stream, stuck);
  }
  return Object.fromEntries(Object.entries(checks).map(([name, check]) => [`${outbox}:${name}`, check]));
}

function connectorCheck(
  snapshot: Snapshot,
  { name, state, lagBytes }: NonNullable<Snapshot["connector"]>,
  links: HealthCheck["links"],
): HealthCheck {
  const rules: CauseCode[] = ["connector", "connector_slot"];
  const [cause] = causesOf(snapshot, rules);
  return {
    componentType: "component",
    status: statusOf(snapshot, rules),
    observedValue: lagBytes,
    observedUnit: "bytes",
    time: snapshot.asOf,
    output: sentence(
      cause?.sentence ?? `the connector ${name} is ${state?.toLowerCase() ?? "in a state that is not known"}`,
    ),
    links,
  };
}

/** Caps a part's status at the whole's: waiting messages of a deliberately paused outbox must not alert. */
function lesserOf(status: HealthStatus, whole: HealthStatus): HealthStatus {
  return worstStatus([status, whole]) === status ? whole : status;
}

/** The worst severity of the causes with these codes; `pass` without any. */
function statusOf(snapshot: Snapshot, rules: readonly CauseCode[]): HealthStatus {
  return worstStatus(causesOf(snapshot, rules).map(({ severity }) => severity));
}

function causesOf({ verdict }: Snapshot, rules: readonly CauseCode[]) {
  return verdict.causes.filter(({ rule }) => rules.includes(rule));
}

function oldestOutput({ oldestPending, oldestPendingKnown, rowsTell, counts, scheduled, asOf }: Snapshot): string {
  if (oldestPending && isUnreal(Date.parse(asOf) - oldestPending.ageSeconds * 1000))
    return "The oldest message has no real time, such as 0: since when it waits is not known.";
  if (oldestPending)
    return `The oldest message waits ${oldestPendingKnown ? "" : "at least "}${formatDuration(oldestPending.ageSeconds)}.`;
  if (!rowsTell) return "Nothing is recorded as waiting; no row says whether it was published.";
  const waiting = counts.pending.value + counts.failed.value + counts.in_flight.value;
  if (oldestPendingKnown && waiting === 0) return "Nothing waits.";
  if (oldestPendingKnown && waiting === scheduled.value && scheduled.precision !== "unknown")
    return `Nothing waits that is due. ${capitalize(boundOf(scheduled.precision === "capped", scheduled.precision === "estimate"))}${formatPlural(waiting, "message")} will be due later.`;
  return "The age of the oldest message is not known.";
}

function countCheck(label: string, figure: Snapshot["counts"]["dead"], asOf: string): Omit<HealthCheck, "status"> {
  const { value, precision } = figure;
  if (precision === "unknown") {
    return {
      componentType: "datastore",
      observedValue: null,
      time: asOf,
      output: `It is unknown how many messages are ${label}.`,
    };
  }
  return {
    componentType: "datastore",
    observedValue: value,
    observedUnit: "messages",
    time: asOf,
    output: `${precision === "capped" ? "At least " : ""}${formatPlural(value, "message")} ${value === 1 ? "is" : "are"} ${label}.`,
  };
}

/** What the consumers' inboxes show of the published messages. */
function processedCheck(
  snapshot: Snapshot,
  within: (status: HealthStatus) => HealthStatus,
  links: Record<string, string>,
): HealthCheck {
  const { consumers } = snapshot;
  const unknown = consumers.filter(({ problem }) => problem !== null);
  const observed = consumers.some(({ notProcessed }) => notProcessed.precision === "unknown")
    ? null
    : consumers.reduce((total, { notProcessed }) => total + notProcessed.value, 0);
  const causes = causesOf(snapshot, ["not_processed", "unmatched_rows"]);
  const sentences = [
    ...causes.map((cause) => sentence(cause.sentence)),
    ...unknown.map(({ inbox, problem }) => `Whether ${inbox} processes what is published is not known. ${problem}`),
    ...consumers.filter((one) => one.unknown > 0).map(describeRemoved),
  ];
  return {
    componentType: "datastore",
    status: worstStatus([...causes.map(({ severity }) => severity), unknown.length > 0 ? within("warn") : "pass"]),
    observedValue: observed,
    observedUnit: "messages",
    ...(consumers[0]?.checkedAt ? { time: consumers[0].checkedAt } : {}),
    output: sentences.join(" ") || "No message that was looked up is overdue at a consumer.",
    links,
  };
}

function describeRemoved({ inbox, unknown }: Snapshot["consumers"][number]): string {
  return `Whether ${inbox} has processed ${formatPlural(unknown, "message")} is not known: it may have removed their rows.`;
}

type Relays = NonNullable<Snapshot["relays"]>;

function relayCheck(snapshot: Snapshot, relays: Relays, links: Record<string, string>): HealthCheck {
  const [cause] = causesOf(snapshot, ["no_relay_alive"]);
  const heartbeat = `${relays.alive} alive, last heartbeat ${formatDuration(relays.heartbeatAgeSeconds ?? 0)} ago.`;
  const withheld = describeWithheld(relays.partialPauses);
  const paused = relays.paused ? ` Paused by ${relays.paused.by}: ${relays.paused.reason}.` : "";
  return {
    componentType: "component",
    status: cause?.severity ?? (relays.paused ? "warn" : "pass"),
    observedValue: relays.alive,
    observedUnit: "relays",
    time: snapshot.asOf,
    output: cause
      ? `${sentence(cause.sentence)}${paused}`
      : `${heartbeat}${paused}${withheld === null ? "" : ` On purpose: ${withheld}.`}`,
    ...(cause ? { hint: `Start a worker: ${ourCommand("worker")}` } : {}),
    links,
  };
}

/** The log retained for an unread slot fills the server's disk. */
function slotCheck(snapshot: Snapshot, stream: NonNullable<Relays["stream"]>, links: FindingLinks): HealthCheck {
  return {
    componentType: "datastore",
    status: judgeSlot(stream),
    observedValue: stream.lagBytes,
    observedUnit: "bytes",
    time: snapshot.asOf,
    output: describeSlot(stream),
    threshold: SLOT_LAG_LIMITS,
    links: links(causesOf(snapshot, ["slot_lag"])[0]),
  };
}

function progressCheck(snapshot: Snapshot, links: FindingLinks): HealthCheck {
  const causes = snapshot.verdict.causes.filter(
    ({ rule, word }) => HOLDS_UP.includes(word) && !OF_THE_DEAD.includes(rule),
  );
  const [cause] = causes;
  return {
    componentType: "component",
    status: worstStatus(causes.map(({ severity }) => severity)),
    observedValue: snapshot.rates.outPerSecond,
    observedUnit: "messages/s",
    time: snapshot.asOf,
    output: cause ? progressOutput(snapshot.verdict, cause) : "No message is held up.",
    ...(cause?.since ? { since: cause.since } : {}),
    links: links(cause),
  };
}

/** Some sentences only make sense after the title of their verdict. */
function progressOutput(verdict: Snapshot["verdict"], cause: Snapshot["verdict"]["causes"][number]): string {
  return sentence(cause === verdict.causes[0] ? headlineOf({ ...verdict, more: null }) : cause.sentence);
}

function clockCheck(snapshot: Snapshot): HealthCheck {
  const [cause] = causesOf(snapshot, ["clock_skew"]);
  return {
    componentType: "component",
    status: cause?.severity ?? "pass",
    time: snapshot.asOf,
    output: cause ? sentence(cause.sentence) : "The clocks agree.",
  };
}
