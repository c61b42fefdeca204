import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { addressOfStore } from "#db/stores/open-store.ts";
import { compareFleet, type FleetEntry, fleetVerdictOf } from "#domain/diagnosis/fleet.ts";
import { isAppError } from "#domain/errors.ts";
import { worstStatus } from "#domain/figures/limits.ts";
import { formatPlural } from "#domain/format.ts";
import type { AbsentTable, OutboxHandle, Runtime, Tables } from "../runtime.ts";
import { errorOfProblem } from "../stores/absent-tables.ts";
import { isReadable, type ProblemParts, partsOf, partsOfError, sentencesOf } from "../stores/outbox-stop.ts";
import { isOutage, silentSinceOf } from "../stores/store-guard.ts";
import { TimeBudget } from "../time-budget.ts";
import { examineInTime, type InTime } from "./examine-in-time.ts";
import { noteOutage } from "./outbox-outages.ts";
import { publishesNothing, unreadableVerdict } from "./unreadable-verdict.ts";

/** Budget for the whole list, ms: a slow outbox must not delay the others. */
const BUDGET_MS = 2_500;

interface Listed {
  summary: OutboxSummary;
  /** Why its figures are not of now; null if they are. */
  late: string | null;
  /** False if its database did not answer. */
  answered: boolean;
  entry: FleetEntry;
  tookMs: number | null;
  clockOffsetMs: number | null;
}

/**
 * Every outbox with its figures, worst first, and the verdict over all, within 3 s. A missing outbox, or one whose
 * database is silent, is listed with its problem.
 */
export async function listOutboxes(input: { runtime: Runtime }): Promise<OutboxList> {
  const { runtime } = input;
  const budget = new TimeBudget(BUDGET_MS);
  const tables = await runtime.tables();
  const read = await Promise.all(tables.outboxes.map((handle) => listOne(runtime, handle, budget)));
  const missing = tables.absent.filter(({ kind }) => kind === "outbox");
  for (const { name } of missing) noteOutage(runtime, name, "table");
  const absent = missing.map(listAbsent);
  const listed = [...read, ...absent].sort(
    (one, other) =>
      compareFleet(one.entry, other.entry) || order(runtime, one.summary.name) - order(runtime, other.summary.name),
  );
  const { next, ...fleet } = fleetVerdictOf(listed.map(({ entry }) => entry));
  return {
    environment: runtime.config.environment,
    version: runtime.version,
    asOf: new Date().toISOString(),
    outboxes: listed.map(({ summary }) => summary),
    fleet: { ...fleet, next: next && { label: next.label, href: next.path } },
    stores: storesOf(runtime, tables, listed),
    looked: listed.length > 0 ? [] : lookedAt(runtime, tables),
    candidates: tables.candidates.map(({ store, table, columns, score, question, evidence }) => ({
      ...{ store: store.name, table: `${table.schema}.${table.name}`, score, question, evidence },
      columns: { ...columns },
    })),
    inboxes: tables.inboxes.map((inbox) => inbox.name),
    problems: [
      ...tables.problems.map(({ store, message }) => ({ store, message })),
      ...tables.outboxes.flatMap(stopped),
      ...lateOnes(listed),
    ],
  };
}

function stopped({ store, stop, config }: OutboxHandle): OutboxList["problems"] {
  if (!stop || (config.debezium && stop.code === "lifecycle_untold")) return [];
  return [{ store: store.name, message: sentencesOf(stop) }];
}

/** One line for each store, with the outbox that comes first. */
function lateOnes(listed: readonly Listed[]): OutboxList["problems"] {
  const late = Map.groupBy(
    listed.filter(({ late }) => late !== null),
    ({ summary }) => summary.store,
  );
  return [...late].map(([store, ones]) => {
    const more =
      ones.length > 1 ? ` The same of ${formatPlural(ones.length - 1, "other outbox", "other outboxes")}.` : "";
    return { store, message: `${ones[0]?.summary.name}: ${ones[0]?.late}${more}` };
  });
}

/** Sort key: configured outboxes first, in the order of the configuration. */
function order(runtime: Runtime, name: string): number {
  const index = Object.keys(runtime.config.outboxes).indexOf(name);
  return index < 0 ? Number.MAX_SAFE_INTEGER : index;
}

type Known = Pick<OutboxSummary, "name" | "store" | "table" | "shape" | "mode" | "connector" | "absent">;

function listAbsent(table: AbsentTable): Listed {
  const { name, store, mode, message, since, forgettable } = table;
  const absent = { since, forgettable: forgettable !== null };
  const known = { name, store, table: table.table, shape: "unknown", mode, connector: null, absent };
  return unreadable(known, { problem: message }, { stopsRelay: publishesNothing(errorOfProblem(table), mode) });
}

async function listOne(runtime: Runtime, handle: OutboxHandle, budget: TimeBudget): Promise<Listed> {
  const known: Known = {
    name: handle.name,
    store: handle.store.name,
    table: `${handle.mapping.table.schema}.${handle.mapping.table.name}`,
    shape: handle.recognition.title,
    mode: handle.config.mode,
    connector: handle.config.debezium?.connector ?? null,
    absent: null,
  };
  if (handle.stop && !isReadable(handle.stop))
    return unreadable(known, partsOf(handle.stop), { status: handle.stop.severity });
  try {
    const problem = handle.stop && sentencesOf(handle.stop);
    return readable(known, problem, await examineInTime({ runtime, handle, patienceMs: budget.leftMs }));
  } catch (error) {
    if (!isAppError(error)) throw error;
    const since = silentSinceOf(error);
    const answered = since === null && !isOutage(error);
    return unreadable(known, partsOfError(error), { stopsRelay: publishesNothing(error, known.mode), since, answered });
  }
}

function readable(known: Known, problem: string | null, { examination, late }: InTime): Listed {
  const { snapshot, causes, clockOffsetMs } = examination;
  const { counts, verdict, oldestPending, rates, relays } = snapshot;
  const { pending, failed, in_flight, dead } = counts;
  const [first] = causes;
  return {
    summary: {
      ...known,
      figures: {
        asOf: snapshot.asOf,
        pending,
        failed,
        inFlight: in_flight,
        dead,
        oldestPendingSeconds: oldestPending?.ageSeconds ?? null,
        inPerSecond: rates.inPerSecond,
        outPerSecond: rates.outPerSecond,
        relays: relays && { alive: relays.alive, known: relays.known },
        judged: snapshot.judged,
      },
      verdict,
      problem: problem ?? late,
    },
    late,
    answered: true,
    entry: {
      outbox: known.name,
      word: verdict.word,
      status: late === null ? verdict.status : worstStatus([verdict.status, "warn"]),
      cause: verdict.cause,
      causeKey: first ? JSON.stringify([first.rule, first.key]) : null,
      since: verdict.since,
      waiting: pending.precision === "unknown" ? null : pending.value + failed.value + in_flight.value,
      waitingCapped: [pending, failed, in_flight].some(({ precision }) => precision === "capped"),
      waitingEstimated: [pending, failed, in_flight].some(({ precision }) => precision === "estimate"),
      oldestSeconds: oldestPending?.ageSeconds ?? null,
      next: verdict.next && { label: verdict.next.label, path: verdict.next.href },
    },
    tookMs: snapshot.tookMs,
    clockOffsetMs,
  };
}

/** `since`, for a silent database: the first query that it did not answer. */
function unreadable(
  known: Known,
  { problem, remedy }: ProblemParts,
  told: { status?: "warn" | "fail"; stopsRelay?: boolean; since?: string | null; answered?: boolean } = {},
): Listed {
  const { status = "fail", stopsRelay = known.mode === "relay", since = null, answered = true } = told;
  const verdict = unreadableVerdict({
    outbox: known.name,
    publishesNothing: stopsRelay,
    ...{ problem, remedy, status, since },
  });
  return {
    summary: {
      ...known,
      figures: null,
      verdict,
      problem: remedy === undefined ? problem : `${problem} ${remedy}`,
    },
    entry: {
      outbox: known.name,
      word: verdict.word,
      status: verdict.status,
      cause: verdict.cause,
      causeKey: JSON.stringify(["unreadable", known.store, problem]),
      since: verdict.since,
      waiting: null,
      waitingCapped: false,
      waitingEstimated: false,
      oldestSeconds: null,
      next: verdict.next && { label: verdict.next.label, path: verdict.next.href },
    },
    late: null,
    answered,
    tookMs: null,
    clockOffsetMs: null,
  };
}

function storesOf(runtime: Runtime, tables: Tables, listed: readonly Listed[]): OutboxList["stores"] {
  return Object.entries(runtime.config.stores).map(([name, store]) => {
    const here = listed.filter(({ summary }) => summary.store === name);
    const answers = here.flatMap(({ tookMs }) => tookMs ?? []);
    const problem = tables.problems.find((one) => one.store === name && one.name === null);
    const offsets = here.flatMap(({ clockOffsetMs }) => clockOffsetMs ?? []);
    return {
      name,
      kind: store.kind,
      address: addressOfStore(store.kind, store.url),
      outboxes: here.length,
      notDelivering: here.filter(({ entry }) => entry.word === "not_delivering" || entry.word === "in_part").length,
      answers: problem === undefined && (here.length === 0 || here.some(({ answered }) => answered)),
      answersMs: answers.length > 0 ? Math.max(...answers) : null,
      clockOffsetMs: offsets[0] ?? null,
      readUnits: tables.outboxes.find((outbox) => outbox.store.name === name)?.store.readUnits() ?? null,
      note: problem?.message ?? null,
    };
  });
}

/** Stores that were read, with all their tables. The tables of other stores are unknown. */
function lookedAt(runtime: Runtime, tables: Tables): OutboxList["looked"] {
  const unread = new Set(tables.problems.filter(({ name }) => name === null).map(({ store }) => store));
  return tables.looked
    .filter(({ store }) => !unread.has(store))
    .map(({ store, tables: names }) => {
      const config = runtime.config.stores[store];
      return { store, address: config ? addressOfStore(config.kind, config.url) : "", tables: names };
    });
}
