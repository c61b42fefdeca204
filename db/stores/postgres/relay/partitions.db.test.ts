import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { AcquiredLease, Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayHeartbeat } from "#db/stores/port/relay/relay-heartbeat.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import { MAPPING, TABLE } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { makeHeartbeat } from "../../conformance/heartbeat.fixture.ts";
import { FAILED, READ_ALL } from "./box.fixture.ts";
import { createRelayTable } from "./postgres-relay-table.ts";

describe("partitions of an outbox", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let table: RelayTable;

  const open = (ordering: "aggregate" | "none" = "aggregate") =>
    createRelayTable({
      ...{ outbox: "bench", mapping: MAPPING, url: database.url, ordering },
      ...{ maxAttempts: 3, relayId: "r", sinkName: "s" },
    });
  const insert = (count: number, aggregates: number) =>
    database.pool.query(
      `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) SELECT 't', 'a' || i % $2, 'e', '{}' FROM generate_series(1, $1) i`,
      [count, aggregates],
    );
  const take = async (owner: string, most = 32, leaseMs = 6000): Promise<AcquiredLease> => {
    const taken = await table.acquireLease({ owner, leaseMs, share: true, most });
    if (!taken) throw new Error("nothing is free");
    return taken;
  };
  const claim = async (lease: Lease, of = table) => (await of.claimNew({ ...READ_ALL, lease })).claim?.messages ?? [];
  const settle = (lease: Lease, claimed: Claim, outcome: MessageOutcome) =>
    table.settle({
      lease,
      entries: claimed.messages.map((message) => ({ token: claimed.token, message, outcome })),
      endedTokens: [claimed.token],
      afterDoubt: false,
    });
  const expire = (owner: string) =>
    database.pool.query("UPDATE outbox_console.lease SET until = clock_timestamp() WHERE owner = $1", [owner]);
  const claims = async () =>
    Number((await database.pool.query("SELECT count(*)::int AS n FROM outbox_console.claim")).rows[0].n);

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(`CREATE TABLE ${TABLE} (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text, aggregate_id text,
      event_type text NOT NULL, payload jsonb NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
      CREATE INDEX ON ${TABLE} (seq) WHERE published_at IS NULL`);
    table = open();
  });
  afterEach(async () => {
    await table.close();
    await database.drop();
  });

  test("an owner alone has them all; one that gives some up begins a new term with the rest", async () => {
    const all = await take("one");
    expect(all).toMatchObject({ epoch: 1, partitions: ALL_PARTITIONS });
    expect(await table.acquireLease({ owner: "two", leaseMs: 6000, share: true })).toBeNull();
    const kept = await take("one", 20);
    expect(kept.partitions).toHaveLength(20);
    const other = await take("two", 16);
    expect(other.partitions).toHaveLength(12);
    expect([kept.epoch, other.epoch]).toEqual([2, 3]);
    expect([...kept.partitions, ...other.partitions].sort((a, b) => a - b)).toEqual(ALL_PARTITIONS);
    expect(await table.renewLease(all)).toBe(false);
    expect(await table.renewLease(kept)).toBe(true);
    expect(await table.renewLease(other)).toBe(true);
  });

  test("two owners claim everything between them and no aggregate twice, with order and without", async () => {
    await insert(400, 50);
    await database.pool.query(`UPDATE ${TABLE} SET aggregate_id = NULL WHERE seq % 10 = 0`);
    const [one, two] = [await take("one", 16), await take("two")];
    for (const ordering of ["aggregate", "none"] as const) {
      const of = open(ordering);
      const [left, right] = [await claim(one, of), await claim(two, of)];
      await of.close();
      expect(new Set([...left, ...right].map(({ id }) => id)).size).toBe(400);
      expect(left.length + right.length).toBe(400);
      expect(Math.min(left.length, right.length)).toBeGreaterThan(50);
      const keys = new Set(left.map(({ aggregateId }) => aggregateId));
      const shared = right.filter(({ aggregateId }) => aggregateId !== null && keys.has(aggregateId));
      if (ordering === "aggregate") expect(shared).toEqual([]);
    }
  });

  test("a failed message is known to the owner of its aggregate's partition alone", async () => {
    await insert(60, 20);
    const [one, two] = [await take("one", 16), await take("two")];
    const claimed = await table.claimNew({ ...READ_ALL, lease: one });
    await settle(one, claimed.claim!, FAILED);
    const count = claimed.claim!.messages.length;
    expect(await table.listRetries({ lease: one })).toHaveLength(count);
    expect(await table.listRetries({ lease: two })).toHaveLength(0);
    expect(await table.claimDueRetries({ lease: two, limit: 100, excludeIds: [] })).toBeNull();
    const due = await table.claimDueRetries({ lease: one, limit: 100, excludeIds: [] });
    expect(due?.messages).toHaveLength(count);
  });

  test("a new term ends the claims of the dead, and never those of the living", async () => {
    await insert(100, 50);
    const [dead, living] = [await take("dead", 8), await take("living", 8)];
    const [lost, kept] = [await claim(dead), await claim(living)];
    expect(await claims()).toBe(2);
    await database.pool.query("UPDATE outbox_console.claim SET alone = true WHERE owner = 'dead'");
    await expire("dead");
    const next = await take("next", 10);
    expect(next.orphaned.map(({ id }) => id).sort()).toEqual(lost.map(({ id }) => id).sort());
    expect(next.orphaned.every(({ alone, owner }) => alone && owner === "dead")).toBe(true);
    expect(await claims()).toBe(1);
    expect(kept.length).toBeGreaterThan(0);
    expect(await table.renewLease(living)).toBe(true);
  });

  test("an owner whose claims were ended cannot renew, though nobody took its partitions", async () => {
    const [dead] = [await take("dead", 20)];
    await expire("dead");
    const next = await take("next", 4);
    expect(next.partitions).toHaveLength(4);
    expect(await table.renewLease(dead)).toBe(false);
    expect((await take("third")).partitions).toHaveLength(28);
  });

  test("whoever wants the whole outbox waits for all, and a lone row of an earlier release is all", async () => {
    const some = await take("one", 3);
    expect(await table.acquireLease({ owner: "stream", leaseMs: 6000 })).toBeNull();
    await table.releaseLease(some);
    expect(await table.acquireLease({ owner: "stream", leaseMs: 6000 })).toMatchObject({ partitions: ALL_PARTITIONS });
    await database.pool.query("DELETE FROM outbox_console.lease WHERE partition > 0");
    expect(await table.acquireLease({ owner: "one", leaseMs: 6000, share: true })).toBeNull();
    await expire("stream");
    expect(await take("one")).toMatchObject({ epoch: 3, partitions: ALL_PARTITIONS });
  });

  test("what a sibling published a moment ago is not foreign, though it had no time to say so", async () => {
    await insert(10, 5);
    await database.pool.query(`UPDATE ${TABLE} SET published_at = now()`);
    expect(await table.foreignPublishes()).toBe(10);
    const say = (state: RelayHeartbeat["state"]) =>
      table.writeHeartbeat(makeHeartbeat("sibling", { state }), { silentMs: 4000 });
    await say("standby");
    expect(await table.foreignPublishes()).toBe(10);
    await say("owner");
    expect(await table.foreignPublishes()).toBe(0);
  });

  test("what a change-over marked a moment ago is not foreign", async () => {
    await insert(10, 5);
    await database.pool.query(`UPDATE ${TABLE} SET published_at = now()`);
    const changed = (ago: string) =>
      database.pool.query(
        `INSERT INTO outbox_console.audit (at, actor, role, action, outbox, outcome)
         VALUES (clock_timestamp() - interval '${ago}', 'ada', 'admin', 'relay.change_over', $1, 'done')`,
        [table.outbox],
      );
    await changed("2 minutes");
    expect(await table.foreignPublishes()).toBe(10);
    await changed("1 second");
    expect(await table.foreignPublishes()).toBe(0);
  });

  test("a heartbeat tells who takes part: not those that are silent, leaving, or reading the log", async () => {
    const lease = await take("one", 20);
    const say = (id: string, state: RelayHeartbeat["state"], source = "polling") =>
      table.writeHeartbeat(makeHeartbeat(id, { state, source }), { silentMs: 4000 });
    for (const [id, state] of Object.entries({ one: "owner", two: "holding", three: "paused", four: "standby" })) {
      await say(id, state as RelayHeartbeat["state"]);
    }
    await say("five", "stopping");
    await say("six", "stopped");
    await say("seven", "standby", "cdc");
    await say("silent", "owner");
    await database.pool.query(
      "UPDATE outbox_console.relay_instance SET heartbeat_at = now() - interval '5 s' WHERE id = 'silent'",
    );
    const { shares: view } = await say("one", "owner");
    expect([...view.members].sort()).toEqual(["four", "one", "three", "two"]);
    expect([...view.owned]).toEqual([["one", lease.partitions.length]]);
    expect(view.free).toBe(12);
    expect(await table.readShares({ silentMs: 4000 })).toEqual(view);
  });

  test("a renewal and a takeover of the same moment: one of them has everything", async () => {
    let lease: Lease = await take("one");
    for (let round = 0; round < 20; round += 1) {
      await expire(lease.owner);
      const owner = lease.owner === "one" ? "two" : "one";
      const [renewed, next] = await Promise.all([
        table.renewLease(lease).catch(() => false),
        table.acquireLease({ owner, leaseMs: 6000, share: true }),
      ]);
      expect(renewed).toBe(next === null);
      const { rows } = await database.pool.query("SELECT DISTINCT owner, epoch FROM outbox_console.lease");
      expect(rows).toHaveLength(1);
      lease = next ?? lease;
    }
  });
});
