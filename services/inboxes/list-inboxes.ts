import type { InboxList, InboxSummary } from "#contracts/outbox/inboxes.ts";
import { toAppError } from "#domain/errors.ts";
import { type InboxConfig, outboxesOf } from "../config/inbox-schema.ts";
import { inboxLines } from "../doctor/candidate-block.ts";
import { lateSentence } from "../late-figures.ts";
import { rowSecurityWarning } from "../outboxes/row-security.ts";
import { perRuntime } from "../per-runtime.ts";
import type { AbsentTable, InboxHandle, Runtime, Tables } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { StoreTurns } from "../stores/store-turns.ts";

const FRESH_MS = 2000;
/** One slow inbox must not delay the others, ms. */
const PATIENCE_MS = 2_500;
const flightOf = perRuntime(() => new SingleFlight<Figures>(FRESH_MS));
/** The last figures of each inbox, and when they were read. */
const lastOf = perRuntime(() => new Map<string, { figures: Figures; readAtMs: number }>());
/**
 * Inboxes of one store read concurrently. More would take the connections of outboxes, of their facts and of operators.
 */
const READ_AT_ONCE = 2;
const turns = new StoreTurns(READ_AT_ONCE);

type Figures = NonNullable<InboxSummary["figures"]>;

/**
 * Every inbox with its figures. A missing inbox, or one whose database is silent, is listed with its problem. One whose
 * figures do not come within `patienceMs` has those of the last minute, and its problem says so. `tables`: a fresh
 * lookup to reuse.
 */
export async function listInboxes(input: {
  runtime: Runtime;
  tables?: Tables;
  patienceMs?: number;
}): Promise<InboxList> {
  const { runtime, patienceMs = PATIENCE_MS } = input;
  const { inboxes, absent, leftAlone } = input.tables ?? (await runtime.tables());
  const read = await Promise.all(inboxes.map((handle) => summarise(runtime, handle, patienceMs)));
  const missing = absent.filter(({ kind }) => kind === "inbox").map((one) => summariseAbsent(runtime, one));
  const candidates = leftAlone.flatMap(({ mayBeInbox, store, table, reason }) =>
    mayBeInbox
      ? [{ store, table: `${table.schema}.${table.name}`, question: reason, lines: inboxLines({ store, table }) }]
      : [],
  );
  return { inboxes: [...read, ...missing], candidates, asOf: new Date().toISOString() };
}

function summariseAbsent(runtime: Runtime, absent: AbsentTable): InboxSummary {
  const { name, store, table, message, since, forgettable } = absent;
  const config = Object.hasOwn(runtime.config.inboxes, name) ? runtime.config.inboxes[name] : undefined;
  return {
    ...{
      name,
      store,
      table,
      shape: "unknown",
      tracksProcessing: false,
      mark: "none",
      paceOf: "received",
      figures: null,
      problem: message,
    },
    question: null,
    consumer: config?.consumer ?? null,
    ...pairing(config),
    absent: { since, forgettable: forgettable !== null },
  };
}

/** `outbox`: the only one. */
function pairing(config: InboxConfig | undefined): Pick<InboxSummary, "outbox" | "outboxes" | "processWithinSeconds"> {
  const outboxes = config ? [...outboxesOf(config)] : [];
  const outbox = outboxes.length === 1 ? (outboxes[0] ?? null) : null;
  const { processWithin } = config ?? {};
  return { outbox, outboxes, processWithinSeconds: processWithin === undefined ? null : processWithin / 1000 };
}

async function summarise(runtime: Runtime, handle: InboxHandle, patienceMs: number): Promise<InboxSummary> {
  const { mapping } = handle;
  const known = {
    name: handle.name,
    store: handle.store.name,
    table: `${mapping.table.schema}.${mapping.table.name}`,
    consumer: handle.config.consumer ?? null,
    ...pairing(handle.config),
    shape: mapping.shape,
    tracksProcessing: mapping.tracksProcessing,
    paceOf: mapping.processedAt ? ("processed" as const) : ("received" as const),
    mark: mapping.mark.kind,
    question: mapping.question ?? null,
    absent: null,
  };
  if (handle.catalog.rowSecurity) return { ...known, figures: null, problem: rowSecurityWarning(mapping.table) };
  try {
    const read = () => flightOf(runtime).run(handle.name, () => readFigures(runtime, handle));
    return { ...known, figures: await handle.store.guard.ask(read, { patienceMs }), problem: null };
  } catch (error) {
    const last = lastOf(runtime).get(handle.name);
    const late = lateSentence(error, last?.readAtMs);
    return {
      ...known,
      figures: late === null ? null : (last?.figures ?? null),
      problem: late ?? toAppError(error).message,
    };
  }
}

async function readFigures(runtime: Runtime, { name, store, mapping }: InboxHandle): Promise<Figures> {
  const figures = await turns.run(store, () => store.inbox(name, mapping).figures());
  lastOf(runtime).set(name, { figures, readAtMs: performance.now() });
  return figures;
}
