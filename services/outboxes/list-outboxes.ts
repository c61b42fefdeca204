import type { OutboxList, OutboxSummary } from "#contracts/outboxes.ts";
import { isAppError } from "#domain/errors.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { takeSnapshot } from "./take-snapshot.ts";

/** Every outbox with its figures. One whose database is silent is listed with its problem; the others do not wait for it longer than a query may take. */
export async function listOutboxes(input: { runtime: Runtime }): Promise<OutboxList> {
  const { runtime } = input;
  const tables = await runtime.tables();
  const outboxes = await Promise.all(tables.outboxes.map((handle) => summarise(runtime, handle)));
  const missing = tables.problems.filter((problem) => problem.name !== null && runtime.config.outboxes[problem.name]);
  const silent = tables.problems.filter((problem) => problem.name === null);
  const configured = Object.entries(runtime.config.outboxes).filter(
    ([name]) => !outboxes.some((outbox) => outbox.name === name),
  );
  const broken = configured.map(([name, config]): OutboxSummary => {
    const problem =
      missing.find((candidate) => candidate.name === name) ??
      silent.find((candidate) => candidate.store === config.store);
    return {
      name,
      store: config.store,
      table: config.table,
      shape: "unknown",
      mode: config.mode,
      figures: null,
      problem: problem?.message ?? "It is not there.",
    };
  });
  return {
    environment: runtime.config.environment,
    version: runtime.version,
    asOf: new Date().toISOString(),
    outboxes: [...outboxes, ...broken].sort((a, b) => order(runtime, a.name) - order(runtime, b.name)),
    inboxes: tables.inboxes.map((inbox) => inbox.name),
    problems: tables.problems.map(({ store, message }) => ({ store, message })),
  };
}

/** Configured outboxes first, in the order of the configuration. */
function order(runtime: Runtime, name: string): number {
  const index = Object.keys(runtime.config.outboxes).indexOf(name);
  return index < 0 ? Number.MAX_SAFE_INTEGER : index;
}

async function summarise(runtime: Runtime, handle: OutboxHandle): Promise<OutboxSummary> {
  const known = {
    name: handle.name,
    store: handle.store.name,
    table: `${handle.mapping.table.schema}.${handle.mapping.table.name}`,
    shape: handle.recognition.title,
    mode: handle.config.mode,
  };
  try {
    const snapshot = await takeSnapshot({ runtime, outbox: handle.name });
    return {
      ...known,
      figures: {
        asOf: snapshot.asOf,
        pending: snapshot.counts.pending,
        failed: snapshot.counts.failed,
        dead: snapshot.counts.dead,
        oldestPendingSeconds: snapshot.oldestPending?.ageSeconds ?? null,
        inPerSecond: snapshot.rates.inPerSecond,
        outPerSecond: snapshot.rates.outPerSecond,
        verdict: snapshot.verdict,
      },
      problem: null,
    };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ...known, figures: null, problem: error.message };
  }
}
