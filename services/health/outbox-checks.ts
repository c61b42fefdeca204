import type { HealthCheck } from "#contracts/health.ts";
import type { Snapshot } from "#contracts/snapshot.ts";
import { formatDuration, formatPlural, sentence } from "#domain/format.ts";
import { type HealthStatus, judge } from "#domain/health.ts";
import { describeSlot, judgeSlot, SLOT_LAG_LIMITS } from "#domain/slot-lag.ts";
import { sinkCause } from "#domain/verdict.ts";
import { describeWithheld } from "#domain/withheld.ts";

/**
 * Snapshots are taken on demand, so one that looks older than this (seconds) means that the clocks of this machine and
 * of the database differ.
 */
const OLDEST_SNAPSHOT_SECONDS = 15;

/**
 * The checks of one outbox by name, from one snapshot. `previous` says how each check was judged last, so that a value
 * that hovers around its limit does not flap. Pure.
 */
export function outboxChecks(
  snapshot: Snapshot,
  previous: (check: string) => HealthStatus,
): Record<string, HealthCheck> {
  const { outbox, thresholds, counts, relays } = snapshot;
  const key = (check: string) => `${outbox}:${check}`;
  const link = (page: string) => ({
    console: `/${page}${page.includes("?") ? "&" : "?"}outbox=${encodeURIComponent(outbox)}`,
  });
  const oldest = snapshot.oldestPending?.ageSeconds ?? 0;
  const limits = { warn: thresholds.oldestPending.warnSeconds, fail: thresholds.oldestPending.failSeconds };
  const snapshotAge = Math.max(0, (Date.now() - Date.parse(snapshot.asOf)) / 1000);
  const checks: Record<string, HealthCheck> = {
    [key("oldestPending")]: {
      componentType: "datastore",
      status: snapshot.oldestPendingKnown ? judge(oldest, limits, previous(key("oldestPending"))) : "warn",
      observedValue: snapshot.oldestPendingKnown ? Number(oldest.toFixed(3)) : null,
      observedUnit: "s",
      time: snapshot.asOf,
      output: oldestOutput(snapshot),
      threshold: limits,
      hint: snapshot.verdict.cause ?? undefined,
      links: link("stuck"),
    },
    [key("dead")]: countCheck({
      label: "dead",
      value: counts.dead.value,
      limits: thresholds.dead,
      previous: previous(key("dead")),
      asOf: snapshot.asOf,
      links: link("messages?state=dead"),
    }),
    [key("failed")]: countCheck({
      label: "failed and waiting for a retry",
      value: counts.failed.value,
      limits: thresholds.failed,
      previous: previous(key("failed")),
      asOf: snapshot.asOf,
      links: link("messages?state=failed"),
    }),
    [key("snapshotAge")]: {
      componentType: "component",
      status: snapshotAge > OLDEST_SNAPSHOT_SECONDS ? "warn" : "pass",
      observedValue: Number(snapshotAge.toFixed(1)),
      observedUnit: "s",
      time: snapshot.asOf,
      output:
        snapshotAge > OLDEST_SNAPSHOT_SECONDS
          ? "The clocks of this machine and of the database differ."
          : "The figures are fresh.",
      threshold: { warn: OLDEST_SNAPSHOT_SECONDS },
    },
  };
  if (counts.unknown.value > 0) {
    checks[key("unknown")] = {
      componentType: "datastore",
      status: "warn",
      observedValue: counts.unknown.value,
      observedUnit: "messages",
      time: snapshot.asOf,
      output: "The table holds status values that the mapping does not name.",
      links: link("messages?state=unknown"),
    };
  }
  if (relays) checks[key("relay")] = relayCheck(snapshot, relays, link("relays"));
  if (relays) checks[key("progress")] = progressCheck(snapshot, relays, link("stuck"));
  if (relays?.stream) checks[key("slotLag")] = slotCheck(relays.stream, snapshot.asOf, link("relays"));
  return checks;
}

function oldestOutput({ oldestPending, oldestPendingKnown }: Snapshot): string {
  if (oldestPending) return `The oldest message waits ${formatDuration(oldestPending.ageSeconds)}.`;
  return oldestPendingKnown
    ? "Nothing waits."
    : "Not known: no index tells what waits; Settings names the one to create.";
}

function countCheck(input: {
  label: string;
  value: number;
  limits: { warn: number; fail: number };
  previous: HealthStatus;
  asOf: string;
  links: Record<string, string>;
}): HealthCheck {
  return {
    componentType: "datastore",
    status: judge(input.value, input.limits, input.previous),
    observedValue: input.value,
    observedUnit: "messages",
    time: input.asOf,
    output: `${input.value} ${input.value === 1 ? "message is" : "messages are"} ${input.label}.`,
    threshold: input.limits,
    links: input.links,
  };
}

type Relays = NonNullable<Snapshot["relays"]>;

function relayCheck(snapshot: Snapshot, relays: Relays, links: Record<string, string>): HealthCheck {
  const base = {
    componentType: "component",
    observedValue: relays.alive,
    observedUnit: "relays",
    time: snapshot.asOf,
    links,
  };
  if (relays.paused)
    return {
      ...base,
      status: "warn",
      output: `Paused by ${relays.paused.by}: ${relays.paused.reason} (${relays.paused.until ? `until ${relays.paused.until}` : "until resumed"}).`,
    };
  if (relays.alive > 0)
    return {
      ...base,
      status: "pass",
      output: `${relays.alive} alive, last heartbeat ${formatDuration(relays.heartbeatAgeSeconds ?? 0)} ago.${partialNote(relays)}`,
    };
  const seen =
    relays.heartbeatAgeSeconds === null
      ? "none has ever reported"
      : `the last heartbeat was ${formatDuration(relays.heartbeatAgeSeconds)} ago`;
  return { ...base, status: "fail", output: `No relay is alive: ${seen}.`, hint: "Start a worker: npm run worker" };
}

/** A pause of a part is on purpose and no fault: it is told, and what waits for it counts by its age like all else. */
function partialNote({ partialPauses }: Relays): string {
  const withheld = describeWithheld(partialPauses);
  return withheld === null ? "" : ` On purpose: ${withheld}.`;
}

/** A server that keeps log for a slot that nobody reads fills its disk. */
function slotCheck(stream: NonNullable<Relays["stream"]>, asOf: string, links: Record<string, string>): HealthCheck {
  return {
    componentType: "datastore",
    status: judgeSlot(stream),
    observedValue: stream.lagBytes,
    observedUnit: "bytes",
    time: asOf,
    output: describeSlot(stream),
    threshold: SLOT_LAG_LIMITS,
    links,
  };
}

/** Work that waits while nothing can go out: the sink cannot be used, or the relay is alive and publishes nothing. */
function progressCheck(snapshot: Snapshot, relays: Relays, links: Record<string, string>): HealthCheck {
  const base = {
    componentType: "component",
    observedValue: snapshot.rates.outPerSecond,
    observedUnit: "messages/s",
    time: snapshot.asOf,
    links,
  };
  const waiting = snapshot.counts.pending.value + snapshot.counts.failed.value;
  if (relays.breaker) {
    return {
      ...base,
      status: "fail",
      output: sentence(sinkCause(relays.breaker)),
      since: relays.breaker.since,
      hint: "The relay probes by itself; bring the sink back.",
    };
  }
  const overdue = (snapshot.oldestPending?.ageSeconds ?? 0) >= snapshot.thresholds.oldestPending.warnSeconds;
  const claimed = snapshot.oldestClaimSeconds ?? 0;
  if (claimed >= snapshot.thresholds.oldestPending.warnSeconds) {
    const status = claimed >= snapshot.thresholds.oldestPending.failSeconds ? "fail" : "warn";
    return {
      ...base,
      status,
      output: `The relay has held a batch for ${formatDuration(claimed)} and cannot finish it.`,
      hint: "Stuck says who holds a lock.",
    };
  }
  const stalled = waiting > 0 && overdue && snapshot.rates.outPerSecond === 0 && !relays.paused;
  if (stalled) {
    const what = `${formatPlural(waiting, "message")} ${waiting === 1 ? "waits" : "wait"} and nothing is published`;
    const withheld = describeWithheld(relays.partialPauses);
    // What waits may be just that: its age is judged by oldestPending, and nobody is woken before it is over its limit.
    return withheld === null
      ? { ...base, status: "fail", output: `${what}.` }
      : { ...base, status: "warn", output: `${what}; ${withheld}.`, hint: "Relays lists what is paused or held." };
  }
  return { ...base, status: "pass", output: waiting === 0 ? "Nothing waits." : "Messages go out." };
}
