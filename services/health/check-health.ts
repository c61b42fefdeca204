import type { Health, HealthCheck } from "#contracts/health.ts";
import type { Snapshot } from "#contracts/snapshot.ts";
import { isAppError } from "#domain/errors.ts";
import { formatDuration, sentence } from "#domain/format.ts";
import { type HealthStatus, judge, worstStatus } from "#domain/health.ts";
import { sinkCause } from "#domain/verdict.ts";
import { listInboxes } from "../inboxes/list-inboxes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";

/** A snapshot older than this is no answer, seconds. */
const OLDEST_SNAPSHOT_SECONDS = 15;

/** What each check said last, so that limits have hysteresis and a status a `since`. In memory: it begins anew with the process. */
interface Memory {
  status: HealthStatus;
  since: string;
}
const memories = new WeakMap<Runtime, Map<string, Memory>>();

/**
 * The health document that alerting polls, from the same snapshots as the pages. Never throws and never answers from
 * memory: a database that is silent is `fail` with the reason. `outbox` narrows it. Throws: not_found for a name that
 * is not configured and not found.
 */
export async function checkHealth(input: { runtime: Runtime; outbox?: string | undefined }): Promise<Health> {
  const { runtime } = input;
  const tables = await runtime.tables();
  const names = input.outbox
    ? [input.outbox]
    : [...new Set([...tables.outboxes.map((one) => one.name), ...Object.keys(runtime.config.outboxes)])];
  const checks: Record<string, HealthCheck[]> = {};
  // Side by side: when a database hangs, each part waits for it, and the poller does not wait for their sum.
  const inboxes = input.outbox ? undefined : checkInboxes(runtime, checks);
  await Promise.all([...names.map((name) => checkOutbox(runtime, name, checks)), inboxes]);
  if (!input.outbox) {
    for (const problem of tables.problems) {
      if (problem.name === null)
        checks[`${problem.store}:database`] = [
          remember(runtime, `${problem.store}:database`, {
            componentType: "datastore",
            status: "fail",
            output: problem.message,
          }),
        ];
    }
  }
  const empty = names.length === 0 && Object.keys(checks).length === 0;
  if (empty)
    checks["console:configuration"] = [
      { componentType: "component", status: "warn", output: "No outbox is configured and none was found." },
    ];
  const status = worstStatus(
    Object.values(checks)
      .flat()
      .map((check) => check.status),
  );
  return {
    status,
    version: runtime.version,
    description: `Outbox Console${runtime.config.environment ? `, ${runtime.config.environment}` : ""}`,
    output: outputOf(checks),
    asOf: new Date().toISOString(),
    checks: Object.fromEntries(Object.entries(checks).sort(([a], [b]) => a.localeCompare(b))),
  };
}

/** One sentence: what is worst, or that nothing is wrong. */
function outputOf(checks: Record<string, HealthCheck[]>): string {
  const entries = Object.entries(checks).flatMap(([name, list]) => list.map((check) => ({ name, check })));
  const worst =
    entries.find(({ check }) => check.status === "fail") ?? entries.find(({ check }) => check.status === "warn");
  return worst ? `${worst.name}: ${worst.check.output ?? worst.check.status}` : "Every check passes.";
}

async function checkOutbox(runtime: Runtime, name: string, checks: Record<string, HealthCheck[]>): Promise<void> {
  try {
    const snapshot = await takeSnapshot({ runtime, outbox: name });
    for (const [key, check] of Object.entries(checksOf(runtime, snapshot)))
      checks[key] = [remember(runtime, key, check)];
  } catch (error) {
    if (isAppError(error) && error.code === "not_found" && !runtime.config.outboxes[name]) throw error;
    const output = isAppError(error) ? error.message : "The figures of this outbox could not be read.";
    checks[`${name}:database`] = [
      remember(runtime, `${name}:database`, {
        componentType: "datastore",
        status: "fail",
        output,
        hint: "Nothing is known of this outbox until its database answers.",
      }),
    ];
  }
}

function checksOf(runtime: Runtime, snapshot: Snapshot): Record<string, HealthCheck> {
  const { outbox, thresholds, counts, relays } = snapshot;
  const key = (check: string) => `${outbox}:${check}`;
  const previous = (check: string) => memoryOf(runtime).get(key(check))?.status ?? "pass";
  const link = (page: string) => ({
    console: `/${page}${page.includes("?") ? "&" : "?"}outbox=${encodeURIComponent(outbox)}`,
  });
  const oldest = snapshot.oldestPending?.ageSeconds ?? 0;
  const limits = { warn: thresholds.oldestPending.warnSeconds, fail: thresholds.oldestPending.failSeconds };
  const snapshotAge = Math.max(0, (Date.now() - Date.parse(snapshot.asOf)) / 1000);
  const checks: Record<string, HealthCheck> = {
    [key("oldestPending")]: {
      componentType: "datastore",
      status: snapshot.oldestPendingKnown ? judge(oldest, limits, previous("oldestPending")) : "warn",
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
      previous: previous("dead"),
      asOf: snapshot.asOf,
      links: link("messages?state=dead"),
    }),
    [key("failed")]: countCheck({
      label: "failed and waiting for a retry",
      value: counts.failed.value,
      limits: thresholds.failed,
      previous: previous("failed"),
      asOf: snapshot.asOf,
      links: link("messages?state=failed"),
    }),
    [key("snapshotAge")]: {
      componentType: "component",
      status: snapshotAge > OLDEST_SNAPSHOT_SECONDS ? "fail" : "pass",
      observedValue: Number(snapshotAge.toFixed(1)),
      observedUnit: "s",
      time: snapshot.asOf,
      output:
        snapshotAge > OLDEST_SNAPSHOT_SECONDS
          ? "The figures are too old, or the clocks of this machine and the database differ."
          : "The figures are fresh.",
      threshold: { fail: OLDEST_SNAPSHOT_SECONDS },
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
      output: `${relays.alive} alive, last heartbeat ${formatDuration(relays.heartbeatAgeSeconds ?? 0)} ago.`,
    };
  const seen =
    relays.heartbeatAgeSeconds === null
      ? "none has ever reported"
      : `the last heartbeat was ${formatDuration(relays.heartbeatAgeSeconds)} ago`;
  return { ...base, status: "fail", output: `No relay is alive: ${seen}.`, hint: "Start a worker: npm run worker" };
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
  if (stalled) return { ...base, status: "fail", output: `${waiting} messages wait and nothing is published.` };
  return { ...base, status: "pass", output: waiting === 0 ? "Nothing waits." : "Messages go out." };
}

async function checkInboxes(runtime: Runtime, checks: Record<string, HealthCheck[]>): Promise<void> {
  const { inboxes } = await listInboxes({ runtime });
  for (const inbox of inboxes) {
    if (!inbox.tracksProcessing && inbox.problem === null) continue;
    const age = inbox.figures?.oldestUnprocessedSeconds ?? 0;
    const key = `${inbox.name}:oldestUnprocessed`;
    const limits = { warn: 60, fail: 300 };
    const previous = memoryOf(runtime).get(key)?.status ?? "pass";
    checks[key] = [
      remember(runtime, key, {
        componentType: "datastore",
        status: inbox.problem === null ? judge(age, limits, previous) : "fail",
        observedValue: Number(age.toFixed(1)),
        observedUnit: "s",
        output:
          inbox.problem ??
          (age > 0 ? `The oldest unprocessed message waits ${formatDuration(age)}.` : "Nothing waits to be processed."),
        threshold: limits,
      }),
    ];
  }
}

function memoryOf(runtime: Runtime): Map<string, Memory> {
  let memory = memories.get(runtime);
  if (!memory) {
    memory = new Map();
    memories.set(runtime, memory);
  }
  return memory;
}

/** Keeps the status for the next judgement and says since when it is so. */
function remember(runtime: Runtime, key: string, check: HealthCheck): HealthCheck {
  const memory = memoryOf(runtime);
  const before = memory.get(key);
  const since = before?.status === check.status ? before.since : new Date().toISOString();
  memory.set(key, { status: check.status, since });
  return { ...check, since: check.since ?? since };
}
