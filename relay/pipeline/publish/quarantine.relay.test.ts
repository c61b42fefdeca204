import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { createRelayTable } from "#db/stores/postgres/relay/postgres-relay-table.ts";
import { DatabaseClock } from "#relay/clock/database-clock.ts";
import { createMemorySink } from "#relay/sinks/memory/memory-sink.ts";
import { MAPPING, makeTable, TABLE } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { Breaker } from "../state/breaker.ts";
import { Isolation } from "../state/isolation.ts";
import { Lanes } from "../state/lanes/lanes.ts";
import { RelayMemory } from "../state/relay-memory.ts";
import { RelayStats } from "../state/relay-stats.ts";
import { Release } from "../state/release.ts";
import { Retries } from "../state/retries.ts";
import { Watermark } from "../state/watermark.ts";
import { Withheld } from "../state/withheld.ts";
import { Quarantine } from "./quarantine.ts";

const READ_ALL = {
  after: null,
  limit: 10,
  excludeIds: [],
  excludeAggregates: [],
  maxBytes: 1_000_000,
  wantLast: false,
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let table: RelayTable;
beforeEach(async () => {
  database = await createTestDatabase();
  const client = await database.pool.connect();
  await makeTable(client);
  client.release();
  await database.pool.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', 'a', 'e', '{}')`,
  );
  const options = { outbox: "bench", mapping: MAPPING, url: database.url, maxAttempts: 5, sinkName: "memory" };
  table = createRelayTable({ ...options, ordering: "aggregate", relayId: "quarantine" });
});
afterEach(async () => {
  await table.close();
  await database.dropByForce();
});

/** A new owner, as after the previous one died and left its claim behind. */
async function takeOver(owner: string) {
  await database.pool.query("UPDATE outbox_console.lease SET until = clock_timestamp() - interval '1 ms'");
  const lease = await table.acquireLease({ owner, leaseMs: 60_000 });
  if (!lease) throw new Error("the lease is not free");
  return lease;
}

const claims = async () => (await database.pool.query("SELECT alone FROM outbox_console.claim")).rows;

const never = () => {
  throw new Error("nothing is to be published");
};

/** Quarantine of a third owner, after two died with the message. */
async function quarantineOver(changed: Partial<RelayTable>, lanes: Lanes): Promise<Quarantine> {
  for (const owner of ["first", "second"]) await table.claimNew({ ...READ_ALL, lease: await takeOver(owner) });
  const withheld = new Withheld(table.compareOrder, () => null);
  return new Quarantine(
    {
      table: Object.assign(Object.create(table) as RelayTable, changed),
      sink: createMemorySink({ answer: never }),
      lease: await takeOver("third"),
      settings: { batchSize: 10, concurrency: 1, onFailure: "block", retry: { initialMs: 1, maxMs: 1 } },
      stats: new RelayStats(),
      memory: new RelayMemory(table.compareOrder),
      log: pino({ level: "silent" }),
      isolation: new Isolation(),
      clock: new DatabaseClock(),
      published: () => undefined,
      publishUntilMs: () => Number.POSITIVE_INFINITY,
    },
    {
      lanes,
      withheld,
      release: new Release({ watermark: new Watermark(table.compareOrder), withheld }, table.compareOrder, false),
      retries: new Retries(),
      breaker: new Breaker(),
    },
    { outcomes: { giveBack: () => undefined } as never, publisher: { publishAlone: never } as never },
    { mayPublish: () => true, waits: () => false, meet: () => undefined, wake: () => undefined, lost: never },
  );
}

test("a claim of a message already in memory is ended at once, as it would count as a crash", async () => {
  const lanes = new Lanes(table.compareOrder);
  let seen = 0;
  // An ordinary claim returned it while its quarantine claim was in flight.
  const claimSuspect: RelayTable["claimSuspect"] = async (input) => {
    const claim = await table.claimSuspect(input);
    for (const message of claim?.messages ?? []) lanes.add(message, "the ordinary claim", false);
    seen = (await claims()).length;
    return claim;
  };
  const quarantine = await quarantineOver({ claimSuspect }, lanes);
  await quarantine.refresh();
  await waitFor(() => seen === 1, { message: "it was claimed alone" });
  await waitFor(async () => (await claims()).length === 0, { message: "the claim is ended" });
  quarantine.stop();
});

test.each([
  ["at once", 0],
  ["with the next reading of suspects, if the store is away until then", 1],
])("a claim whose answer was lost is ended %s, as it would blame its message for another death", async (_, away) => {
  let seen = 0;
  let refused = 0;
  const claimSuspect: RelayTable["claimSuspect"] = async (input) => {
    await table.claimSuspect(input);
    seen = (await claims()).length;
    throw new Error("the connection was lost");
  };
  const settle: RelayTable["settle"] = (request) => {
    if (refused++ < away) return Promise.reject(new Error("the connection was lost"));
    return table.settle(request);
  };
  const quarantine = await quarantineOver({ claimSuspect, settle }, new Lanes(table.compareOrder));
  await quarantine.refresh();
  await waitFor(() => seen === 1, { message: "it was claimed alone" });
  if (away > 0) {
    await waitFor(() => refused === away, { message: "the store did not take its end" });
    expect(await claims()).toEqual([{ alone: true }]);
    quarantine.stop();
    await quarantine.refresh();
  }
  await waitFor(async () => (await claims()).length === 0, { message: "the claim is ended" });
  quarantine.stop();
});
