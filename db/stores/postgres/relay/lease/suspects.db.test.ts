import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { AcquiredLease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { mapBox, READ_ALL } from "../box.fixture.ts";
import { createRelayTable } from "../postgres-relay-table.ts";

describe("messages that were with a relay that died", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let table: RelayTable;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(
      "CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, payload text, published_at timestamptz)",
    );
    await database.pool.query(
      "INSERT INTO box (aggregate_id, payload) SELECT 'a' || i % 2, 'x' FROM generate_series(1, 6) i",
    );
    table = createRelayTable({
      outbox: "box",
      ordering: "aggregate",
      maxAttempts: 5,
      relayId: "r",
      sinkName: "s",
      mapping: mapBox(),
      url: database.url,
    });
  });
  afterEach(async () => {
    await table.close();
    await database.dropByForce();
  });

  let terms = 0;
  /** A new owner, as after the death of the one before. */
  const takeOver = async (): Promise<AcquiredLease> => {
    await database.pool.query("UPDATE outbox_console.lease SET until = clock_timestamp() - interval '1 ms'");
    const lease = await table.acquireLease({ owner: `relay ${++terms}`, leaseMs: 6000 });
    if (!lease) throw new Error("the lease is not free");
    return lease;
  };
  const claimed = async (lease: AcquiredLease, limit = 100) =>
    (await table.claimNew({ ...READ_ALL, lease, limit })).claim ?? { token: "", messages: [] };
  const ids = (claim: Claim | null) => claim?.messages.map(({ id }) => id) ?? [];
  const suspects = async () =>
    (
      await database.pool.query(
        "SELECT message_id AS id, orphaned, crashes FROM outbox_console.suspect ORDER BY message_id",
      )
    ).rows;
  /** Two deaths with the first three in a claim. */
  const isolateThree = async () => {
    for (let death = 0; death < 2; death += 1) await claimed(await takeOver(), 3);
    const lease = await takeOver();
    return { lease, listed: await table.listSuspects({ lease }) };
  };

  test("once is nothing; twice is published alone, and no ordinary claim takes it", async () => {
    const first = await takeOver();
    expect(ids(await claimed(first, 3))).toEqual(["1", "2", "3"]);
    const second = await takeOver();
    expect(await table.listSuspects({ lease: second })).toEqual([]);
    expect(table.suspectCount).toBe(3);
    expect(ids(await claimed(second, 3))).toEqual(["1", "2", "3"]);
    const third = await takeOver();
    const listed = await table.listSuspects({ lease: third });
    expect(listed.map(({ id, killsRelays, due, aggregateKey }) => [id, killsRelays, due, aggregateKey])).toEqual([
      ["1", false, true, "a1"],
      ["2", false, true, "a0"],
      ["3", false, true, "a1"],
    ]);
    expect(ids(await claimed(third))).toEqual(["4", "5", "6"]);
  });

  test("a term that its own owner begins anew accuses nobody; nor is what was published suspected", async () => {
    const lease = await takeOver();
    const claim = await claimed(lease, 3);
    await table.acquireLease({ owner: lease.owner, leaseMs: 6000 });
    expect(await suspects()).toEqual([]);
    expect(claim.messages).toHaveLength(3);
    await claimed((await table.acquireLease({ owner: lease.owner, leaseMs: 6000 })) ?? lease, 3);
    await database.pool.query("UPDATE box SET published_at = now() WHERE id < 3");
    await takeOver();
    expect(await suspects()).toEqual([{ id: "3", orphaned: 1, crashes: 0 }]);
  });

  test("a relay that dies with one alone accuses that one, with an attempt, and none of the others it had claimed", async () => {
    const { lease, listed } = await isolateThree();
    const [suspect] = listed;
    expect(ids(await claimed(lease))).toEqual(["4", "5", "6"]);
    if (!suspect) throw new Error("nobody is suspected");
    expect(ids(await table.claimSuspect({ lease, suspect, token: randomUUID() }))).toEqual(["1"]);
    const next = await takeOver();
    expect(await suspects()).toEqual([
      { id: "1", orphaned: 3, crashes: 1 },
      { id: "2", orphaned: 2, crashes: 0 },
      { id: "3", orphaned: 2, crashes: 0 },
    ]);
    const { rows } = await database.pool.query(
      "SELECT message_id, outcome, code, relay, duration_ms FROM outbox_console.attempt",
    );
    expect(rows).toEqual([
      { message_id: "1", outcome: "failed", code: "crash", relay: lease.owner, duration_ms: null },
    ]);
    expect((await table.listSuspects({ lease: next })).map(({ id }) => id)).toEqual(["2", "3", "1"]);
    expect(await table.claimDueRetries({ lease: next, limit: 10, excludeIds: [] })).toBeNull();
  });

  test("any outcome clears a suspect; what is gone by someone else's hand is forgotten", async () => {
    const { lease, listed } = await isolateThree();
    const [suspect] = listed;
    if (!suspect) throw new Error("nobody is suspected");
    const claim = await table.claimSuspect({ lease, suspect, token: randomUUID() });
    await table.settle({
      lease,
      entries: (claim?.messages ?? []).map((message) => ({
        token: claim?.token ?? "",
        message,
        outcome: { kind: "published", startedAt: new Date(), durationMs: 1 },
      })),
      endedTokens: [claim?.token ?? ""],
      afterDoubt: false,
    });
    expect((await suspects()).map(({ id }) => id)).toEqual(["2", "3"]);
    await database.pool.query("DELETE FROM box WHERE id = 2");
    expect((await table.listSuspects({ lease })).map(({ id }) => id)).toEqual(["3"]);
    expect((await suspects()).map(({ id }) => id)).toEqual(["3"]);
  });

  test("an earlier message of its aggregate that was committed late goes before the suspect", async () => {
    const { lease, listed } = await isolateThree();
    const third = listed.find(({ id }) => id === "3");
    await database.pool.query("UPDATE box SET published_at = now() WHERE id = 1");
    await database.pool.query("INSERT INTO box (id, aggregate_id, payload) VALUES (-5, 'a1', 'late')");
    if (!third) throw new Error("nobody is suspected");
    expect(ids(await table.claimSuspect({ lease, suspect: third, token: randomUUID() }))).toEqual(["-5"]);
  });
});
