import type { InboxList, InboxSummary } from "#contracts/outbox/inboxes.ts";
import { toAppError } from "#domain/errors.ts";
import { type InboxConfig, outboxesOf } from "../config/inbox-schema.ts";
import { inboxLines } from "../doctor/candidate-block.ts";
import { rowSecurityWarning } from "../outboxes/row-security.ts";
import { perRuntime } from "../per-runtime.ts";
import type { AbsentTable, InboxHandle, Runtime, Tables } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";

const FRESH_MS = 2000;
/** One slow inbox must not delay the others or health, ms. */
const PATIENCE_MS = 2_500;
const flightOf = perRuntime(() => new SingleFlight<InboxList>(FRESH_MS));

/**
 * Every inbox with its figures. A missing inbox, or one whose database is silent, is listed with its problem. `tables`:
 * a fresh lookup to reuse.
 */
export function listInboxes(input: { runtime: Runtime; tables?: Tables }): Promise<InboxList> {
  return flightOf(input.runtime).run(`all, after ${input.runtime.known.dropped}`, async () => {
    const { inboxes, absent, leftAlone } = input.tables ?? (await input.runtime.tables());
    const read = await Promise.all(inboxes.map(summarise));
    const missing = absent.filter(({ kind }) => kind === "inbox").map((one) => summariseAbsent(input.runtime, one));
    const candidates = leftAlone.flatMap(({ mayBeInbox, store, table, reason }) =>
      mayBeInbox
        ? [{ store, table: `${table.schema}.${table.name}`, question: reason, lines: inboxLines({ store, table }) }]
        : [],
    );
    return { inboxes: [...read, ...missing], candidates, asOf: new Date().toISOString() };
  });
}

function summariseAbsent(runtime: Runtime, absent: AbsentTable): InboxSummary {
  const { name, store, table, message, since, forgettable } = absent;
  const config = Object.hasOwn(runtime.config.inboxes, name) ? runtime.config.inboxes[name] : undefined;
  return {
    ...{ name, store, table, shape: "unknown", tracksProcessing: false, mark: "none", figures: null, problem: message },
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

async function summarise(handle: InboxHandle): Promise<InboxSummary> {
  const { mapping } = handle;
  const known = {
    name: handle.name,
    store: handle.store.name,
    table: `${mapping.table.schema}.${mapping.table.name}`,
    consumer: handle.config.consumer ?? null,
    ...pairing(handle.config),
    shape: mapping.shape,
    tracksProcessing: mapping.tracksProcessing,
    mark: mapping.mark.kind,
    question: mapping.question ?? null,
    absent: null,
  };
  if (handle.catalog.rowSecurity) return { ...known, figures: null, problem: rowSecurityWarning(mapping.table) };
  try {
    const inbox = handle.store.inbox(handle.name, mapping);
    const figures = await handle.store.line.ask(() => inbox.figures(), { patienceMs: PATIENCE_MS });
    return { ...known, figures, problem: null };
  } catch (error) {
    return { ...known, figures: null, problem: toAppError(error).message };
  }
}
