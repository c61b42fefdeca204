import type { InboxList, InboxSummary } from "#contracts/inboxes.ts";
import { readInboxFigures } from "#db/inbox/read-inbox.ts";
import { databaseClock } from "#db/outbox/postgres/read-waiting.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { withReadTransaction } from "#db/postgres/transaction.ts";
import { rowSecurityWarning } from "../outboxes/row-security.ts";
import type { InboxHandle, Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";

const FRESH_MS = 2000;
const flights = new WeakMap<Runtime, SingleFlight<InboxList>>();

/** Every inbox with its figures; one whose database is silent is listed with its problem. */
export function listInboxes(input: { runtime: Runtime }): Promise<InboxList> {
  let flight = flights.get(input.runtime);
  if (!flight) {
    flight = new SingleFlight<InboxList>(FRESH_MS);
    flights.set(input.runtime, flight);
  }
  return flight.run("all", async () => {
    const { inboxes, problems } = await input.runtime.tables();
    const read = await Promise.all(inboxes.map(summarise));
    const broken = problems.flatMap((problem): InboxSummary[] => {
      const config = problem.name === null ? undefined : input.runtime.config.inboxes[problem.name];
      if (!config || problem.name === null) return [];
      return [
        {
          name: problem.name,
          store: config.store,
          table: config.table,
          consumer: config.consumer ?? null,
          outbox: config.outbox ?? null,
          shape: "unknown",
          tracksProcessing: false,
          figures: null,
          problem: problem.message,
        },
      ];
    });
    return { inboxes: [...read, ...broken], asOf: new Date().toISOString() };
  });
}

async function summarise(handle: InboxHandle): Promise<InboxSummary> {
  const { mapping } = handle;
  const known = {
    name: handle.name,
    store: handle.store.name,
    table: `${mapping.table.schema}.${mapping.table.name}`,
    consumer: handle.config.consumer ?? null,
    outbox: handle.config.outbox ?? null,
    shape: mapping.shape,
    tracksProcessing: mapping.tracksProcessing,
  };
  if (handle.catalog.rowSecurity) return { ...known, figures: null, problem: rowSecurityWarning(mapping.table) };
  try {
    const figures = await withReadTransaction(handle.store.reads, 3000, async (client) => ({
      ...(await readInboxFigures(client, mapping)),
      asOf: await databaseClock(client),
    }));
    return { ...known, figures, problem: null };
  } catch (error) {
    return { ...known, figures: null, problem: toDatabaseError(error, `inbox ${handle.name}`).message };
  }
}
