import type { Health, HealthCheck } from "#contracts/watch/health.ts";
import { formatSince } from "#domain/diagnosis/phrases.ts";
import { AppError, isAppError } from "#domain/errors.ts";
import { worstStatus } from "#domain/figures/limits.ts";
import { listInboxes } from "../inboxes/list-inboxes.ts";
import { examineInTime } from "../outboxes/examine-in-time.ts";
import { perRuntime } from "../per-runtime.ts";
import type { AbsentTable, OutboxHandle, Runtime, Tables } from "../runtime.ts";
import type { StoreProblem } from "../stores/handles.ts";
import { isReadable, type OutboxStop } from "../stores/outbox-stop.ts";
import { silentSinceOf } from "../stores/store-guard.ts";
import { TimeBudget } from "../time-budget.ts";
import { healthOutput } from "./health-output.ts";
import { inboxCheck } from "./inbox-check.ts";
import { outboxChecks } from "./outbox-checks.ts";
import { type CheckStart, startOfCheck } from "./start-of-check.ts";

/** Budget for the whole answer, ms: alerting gets it within 3 s; figures that take longer count as unknown. */
const BUDGET_MS = 2_500;
const UNKNOWN_HINT = "Its state is unknown until it can be read again.";

/** Last status of each check, for hysteresis and `since`. Kept in memory, so it starts over with the process. */
const memoryOf = perRuntime(() => new Map<string, CheckStart>());

/**
 * The health document for alerting, from the same snapshots as the pages, within 3 s. A silent database is `fail` with
 * the reason, and so is an outbox or inbox that is missing now but was seen before. Figures of the last minute stand
 * for those that a busy database does not give in time, with `warn` and their age. `outbox` narrows it. Throws only
 * not_found, for a name that is neither configured nor found.
 */
export async function checkHealth(input: { runtime: Runtime; outbox?: string | undefined }): Promise<Health> {
  const { runtime } = input;
  const budget = new TimeBudget(BUDGET_MS);
  const tables = await runtime.tables();
  const names = input.outbox
    ? [input.outbox]
    : [...new Set([...tables.outboxes, ...tables.absent.filter(isOutbox)].map((one) => one.name))];
  const checks: Record<string, HealthCheck[]> = {};
  // In parallel: if a database hangs, the poller does not wait for the sum of all parts.
  const look = { runtime, tables, budget, checks };
  const inboxes = input.outbox ? undefined : checkInboxes(look);
  await Promise.all([...names.map((name) => checkOutbox(look, name)), inboxes]);
  if (!input.outbox) {
    for (const problem of tables.problems) {
      if (problem.name === null) add(checks, `${problem.store}:database`, storeCheck(runtime, problem));
    }
  }
  forgetOthers(look, input.outbox);
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
    output: healthOutput(checks),
    asOf: new Date().toISOString(),
    checks: Object.fromEntries(Object.entries(checks).sort(([a], [b]) => a.localeCompare(b))),
  };
}

/** A store may share its name with an outbox; the check of that name then has an entry for each. */
function add(checks: Record<string, HealthCheck[]>, name: string, check: HealthCheck): void {
  checks[name] = [...(checks[name] ?? []), check];
}

function storeCheck(runtime: Runtime, { store, message, since = null }: StoreProblem): HealthCheck {
  return remember(runtime, `store ${store}`, {
    componentType: "datastore",
    status: "fail",
    output: saysSince(message, since),
    ...(since === null ? {} : { since }),
  });
}

/** The sentence, with the time since which the database does not answer. */
function saysSince(sentence: string, since: string | null): string {
  if (since === null) return sentence;
  return `${sentence.replace(/\.$/, "")} (since ${formatSince(since, new Date().toISOString())}).`;
}

function isOutbox({ kind }: AbsentTable): boolean {
  return kind === "outbox";
}

/** State of one answer. Tables are looked up once, because each lookup of a silent store waits again. */
interface Look {
  runtime: Runtime;
  tables: Tables;
  budget: TimeBudget;
  checks: Record<string, HealthCheck[]>;
}

/** Throws as `runtime.outbox`. */
async function findOutbox({ runtime, tables }: Look, name: string): Promise<OutboxHandle> {
  const found = tables.outboxes.find((handle) => handle.name === name);
  if (found) return found;
  const absent = tables.absent.find((one) => isOutbox(one) && one.name === name);
  if (absent) throw new AppError("unavailable", absent.message);
  return runtime.outbox(name);
}

async function checkOutbox(look: Look, name: string): Promise<void> {
  const { runtime, tables, budget, checks } = look;
  const { stop } = tables.outboxes.find((handle) => handle.name === name) ?? {};
  if (stop) checks[`${name}:mapping`] = [remember(runtime, `${name}:mapping`, mappingCheck(stop))];
  // Without a readable mapping no other check can be made.
  if (stop && !isReadable(stop)) return;
  try {
    const handle = await findOutbox(look, name);
    const { examination, late } = await examineInTime({ runtime, handle, patienceMs: budget.leftMs });
    for (const [key, check] of Object.entries(outboxChecks(examination.snapshot)))
      add(checks, key, remember(runtime, key, check));
    const key = `${name}:database`;
    if (late !== null)
      add(checks, key, remember(runtime, key, { componentType: "datastore", status: "warn", output: late }));
  } catch (error) {
    if (isAppError(error) && error.code === "not_found" && !Object.hasOwn(runtime.config.outboxes, name)) throw error;
    const output = isAppError(error) ? error.message : "The figures of this outbox could not be read.";
    const since = isAppError(error) ? silentSinceOf(error) : null;
    const check = {
      componentType: "datastore",
      status: "fail" as const,
      output: saysSince(output, since),
      hint: UNKNOWN_HINT,
      ...(since === null ? {} : { since }),
    };
    add(checks, `${name}:database`, remember(runtime, `${name}:database`, check));
  }
}

function mappingCheck({ severity, message, remedy }: OutboxStop): HealthCheck {
  return { componentType: "component", status: severity, output: message, hint: remedy };
}

async function checkInboxes({ runtime, tables, budget, checks }: Look): Promise<void> {
  const { inboxes } = await listInboxes({ runtime, tables, patienceMs: budget.leftMs });
  const hidden = new Set(tables.inboxes.filter((inbox) => inbox.catalog.rowSecurity).map(nameOf));
  for (const inbox of inboxes) {
    if (!inbox.tracksProcessing && inbox.problem === null) continue;
    const key = `${inbox.name}:oldestUnprocessed`;
    const previous = memoryOf(runtime).get(key)?.status ?? "pass";
    add(checks, key, remember(runtime, key, inboxCheck(inbox, { isHidden: hidden.has(inbox.name), previous })));
  }
}

const nameOf = ({ name }: { name: string }) => name;

/** Deletes the status of checks that did not run: if one fails later, that is a new problem. */
function forgetOthers({ runtime, tables, checks }: Look, outbox: string | undefined): void {
  const memory = memoryOf(runtime);
  const made = new Set([...Object.keys(checks), ...tables.problems.map(({ store }) => `store ${store}`)]);
  for (const key of memory.keys()) {
    if (!made.has(key) && (outbox === undefined || key.startsWith(`${outbox}:`))) memory.delete(key);
  }
}

/** Stores the status for the next judgement and adds since when it holds. */
function remember(runtime: Runtime, key: string, check: HealthCheck): HealthCheck {
  const memory = memoryOf(runtime);
  const since = startOfCheck(check, memory.get(key));
  memory.set(key, { status: check.status, since });
  return { ...check, since: check.since ?? since };
}
