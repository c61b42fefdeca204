import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { Claim, ClaimRequest } from "#db/stores/port/relay/claim.ts";
import { type Lease, LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { outboxLockSql } from "../tables/outbox-lock.ts";
import { column, FAILED, mapBox, READ_ALL, timestamptz } from "./box.fixture.ts";
import { createRelayTable } from "./postgres-relay-table.ts";

const MAPPING = mapBox({ createdAt: timestamptz("created_at"), publishedAt: timestamptz("published_at") });
const PUBLISHED: MessageOutcome = { kind: "published", startedAt: new Date(), durationMs: 1 };

const OPTIONS = { outbox: "box", ordering: "aggregate", maxAttempts: 3, relayId: "r", sinkName: "s" } as const;

describe("the relay's side of a table", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let table: RelayTable;
  let lease: Lease;

  const open = () => createRelayTable({ ...OPTIONS, mapping: MAPPING, url: database.url });
  const insert = (count: number, payload = "x") =>
    database.pool.query(
      "INSERT INTO box (aggregate_id, payload) SELECT 'a' || i % 3, $2 FROM generate_series(1, $1) i",
      [count, payload],
    );
  const claim = (fields: Partial<ClaimRequest> = {}) => table.claimNew({ ...READ_ALL, lease, ...fields });
  const settle = (claimed: Claim, outcome: MessageOutcome, of = lease, afterDoubt = false) =>
    table.settle({
      lease: of,
      entries: claimed.messages.map((message) => ({ token: claimed.token, message, outcome })),
      endedTokens: [claimed.token],
      afterDoubt,
    });
  const take = async (owner: string, leaseMs = 6000) => {
    const taken = await table.acquireLease({ owner, leaseMs });
    if (!taken) throw new Error("the lease is not free");
    return taken;
  };
  const claimed = async () => (await claim()).claim ?? { token: "", messages: [] };
  const number = async (sql: string) =>
    Number((await database.pool.query({ text: sql, rowMode: "array" })).rows[0]?.[0]);

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(
      "CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, payload text, created_at timestamptz DEFAULT now(), published_at timestamptz)",
    );
    table = open();
    lease = await take("me");
  });
  afterEach(async () => {
    await table.close();
    await database.drop();
  });

  test("who begins a term opens all its connections at once; who waits for one does not", async () => {
    const connections = async () => {
      const { rows } = await database.pool.query(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'outbox-console relay'",
      );
      return rows[0].count;
    };
    lease = await take("me");
    await waitFor(async () => (await connections()) === 4, { message: "the owner's connections are open" });
    const other = open();
    expect(await other.acquireLease({ owner: "other", leaseMs: 6000 })).toBeNull();
    expect(await connections()).toBe(5);
    await other.close();
  });

  test("claims in order what is not in memory, not withheld and from a position on", async () => {
    await insert(9);
    const all = await claimed();
    expect(all.messages.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    expect(await number("SELECT cardinality(message_ids) FROM outbox_console.claim")).toBe(9);
    const rest = await claim({ after: ["4", "4"], excludeIds: ["5"], excludeAggregates: ["a0"], limit: 2 });
    expect(rest.claim?.messages.map(({ id }) => id)).toEqual(["4", "7"]);
    expect(rest.more).toBe(true);
    expect((await claim({ after: ["10", "10"], wantLast: true })).last).toEqual(["9", "9"]);
  });

  test("reads a backlog on up to what was written a moment ago, and does not take that for its end", async () => {
    await insert(6);
    await database.pool.query("UPDATE box SET created_at = now() - interval '1 minute' WHERE id <> 5");
    const read = await claim({ after: ["2", "2"], agedMs: 10_000 });
    expect(read.claim?.messages.map(({ id }) => id)).toEqual(["2", "3", "4"]);
    expect(read.more).toBe(true);
    expect((await claim({ after: ["7", "7"], agedMs: 10_000 })).more).toBe(true);
  });

  test("tells the last row by the very position that its message has, so that it is known to be in memory", async () => {
    await database.pool.query("ALTER TABLE box ADD event uuid NOT NULL DEFAULT gen_random_uuid()");
    await insert(3);
    const mapping = { ...MAPPING, columns: { ...MAPPING.columns, id: column("event", "uuid") } };
    const other = createRelayTable({ ...OPTIONS, url: database.url, mapping });
    try {
      const read = await other.claimNew({ ...READ_ALL, lease, wantLast: true });
      expect(read.last).toEqual(read.claim?.messages.at(-1)?.order);
      const again = { ...READ_ALL, lease, after: read.last, excludeIds: [read.claim?.messages.at(-1)?.id ?? ""] };
      expect((await other.claimNew(again)).claim).toBeNull();
    } finally {
      await other.close();
    }
  });

  test("brings further columns as text, under their names, also by the retry path", async () => {
    await database.pool.query(`ALTER TABLE box ADD "The ""op""" text, ADD version numeric DEFAULT 1.10`);
    await database.pool.query(`INSERT INTO box (aggregate_id, "The ""op""") VALUES ('a', 'INSERT'), ('b', NULL)`);
    const fields = { operation: 'The "op"', version: "version", who: "aggregate_id" };
    const other = createRelayTable({ ...OPTIONS, url: database.url, mapping: MAPPING, fields });
    try {
      const read = (await other.claimNew({ ...READ_ALL, lease })).claim ?? { token: "", messages: [] };
      expect(read.messages.map((message) => message.fields)).toEqual([
        { operation: "INSERT", version: "1.10", who: "a" },
        { operation: null, version: "1.10", who: "b" },
      ]);
      await settle(read, FAILED);
      const again = await other.claimDueRetries({ lease, limit: 1, excludeIds: [] });
      expect(again?.messages[0]?.fields).toEqual({ operation: "INSERT", version: "1.10", who: "a" });
    } finally {
      await other.close();
    }
  });

  test("ends a claim by its bytes, and says that there is more", async () => {
    await insert(2);
    await database.pool.query("ALTER TABLE box ALTER payload SET STORAGE EXTERNAL");
    await insert(5, "y".repeat(100_000));
    const found = await claim({ maxBytes: 250_000 });
    expect(found.claim?.messages).toHaveLength(5);
    expect(found.more).toBe(true);
    const [last] = (await claim({ maxBytes: 1, after: ["7", "7"] })).claim?.messages ?? [];
    expect(last?.payload).toHaveLength(100_000);
  });

  test("what an owner claimed is not marked once someone else has the lease", async () => {
    await insert(3);
    const mine = await claimed();
    await table.releaseLease(lease);
    const next = await take("other");
    expect(next.epoch).toBe(lease.epoch + 1);
    expect(next.orphaned).toEqual(
      ["1", "2", "3"].map((id) => expect.objectContaining({ id, alone: false, owner: "me" })),
    );
    const result = await settle(mine, PUBLISHED);
    expect(result).toMatchObject({ published: [], fenced: ["1", "2", "3"] });
    expect(await number("SELECT count(*) FROM box WHERE published_at IS NOT NULL")).toBe(0);
    await expect(claim()).rejects.toThrow(LeaseLostError);
    expect(await table.renewLease(lease)).toBe(false);
    await table.releaseLease(lease);
    expect(await table.renewLease(next)).toBe(true);
  });

  test("a live lease is not taken, and one that ran out is", async () => {
    expect(await table.acquireLease({ owner: "other", leaseMs: 6000 })).toBeNull();
    await database.pool.query("UPDATE outbox_console.lease SET until = clock_timestamp() - interval '1 ms'");
    await expect(claim()).rejects.toThrow(LeaseLostError);
    expect((await take("other")).epoch).toBe(2);
  });

  test("a claim waits for an operator's verb on the outbox, and sees what it did", async () => {
    await insert(2);
    const operator = await database.pool.connect();
    await operator.query("BEGIN");
    await operator.query(outboxLockSql("box", "exclusive"));
    const claiming = claim();
    await waitFor(
      async () =>
        (await number(
          "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted",
        )) === 1,
      {
        message: "the claim waits",
      },
    );
    await operator.query("UPDATE box SET published_at = now() WHERE id = 1");
    await operator.query("COMMIT");
    operator.release();
    expect((await claiming).claim?.messages.map(({ id }) => id)).toEqual(["2"]);
  });

  test("tells what someone else published, and what it published itself before a doubtful commit", async () => {
    await insert(3);
    const mine = await claimed();
    await database.pool.query("UPDATE box SET published_at = '2026-01-01' WHERE id = 2");
    const part = { ...mine, messages: mine.messages.slice(0, 2) };
    const entries = part.messages.map((message) => ({ token: mine.token, message, outcome: PUBLISHED }));
    const result = await table.settle({ lease, entries, endedTokens: [], afterDoubt: false });
    expect(result).toMatchObject({ published: ["1"], foreign: ["2"], fenced: [] });
    expect(await number("SELECT extract(year FROM published_at) FROM box WHERE id = 2")).toBe(2026);
    expect(result.latenciesMs).toHaveLength(1);
    const again = await settle(mine, PUBLISHED, lease, true);
    expect(again).toMatchObject({ published: ["1", "2", "3"], foreign: [] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(0);
  });

  test("an outcome that is written twice after a doubtful commit burns one attempt", async () => {
    await insert(2);
    const mine = await claimed();
    const entries = [{ token: mine.token, message: mine.messages[0]!, outcome: FAILED }];
    const request = { lease, entries, endedTokens: [], afterDoubt: false };
    await table.settle(request);
    expect(await number("SELECT cardinality(message_ids) FROM outbox_console.claim")).toBe(1);
    expect(await table.settle({ ...request, afterDoubt: true })).toMatchObject({ fenced: ["1"] });
    expect(await number("SELECT attempts FROM outbox_console.delivery")).toBe(1);
    expect(await number("SELECT count(*) FROM outbox_console.attempt")).toBe(1);
  });

  test("a failed message is claimed by the retry path alone, and again by the other once an operator reset it", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    expect((await claim()).claim).toBeNull();
    expect(await table.listRetries({ lease })).toMatchObject([
      { id: "1", aggregateKey: "a1", order: ["1", "1"], attempts: 1 },
    ]);
    const retry = await table.claimDueRetries({ lease, limit: 10, excludeIds: [] });
    expect(retry?.messages).toMatchObject([{ id: "1", attempts: 1 }]);
    await settle(retry!, { kind: "given_back" });
    await database.pool.query("DELETE FROM outbox_console.delivery");
    expect((await claimed()).messages).toHaveLength(1);
  });

  test("what succeeds after an operator's retry leaves its attempt in the history and nothing beside the row", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    await database.pool.query("UPDATE outbox_console.delivery SET attempts = 0, next_attempt_at = clock_timestamp()");
    const again = await table.claimDueRetries({ lease, limit: 10, excludeIds: [] });
    await settle(again!, PUBLISHED);
    const { rows } = await database.pool.query("SELECT outcome FROM outbox_console.attempt ORDER BY id");
    expect(rows.map((row) => row.outcome)).toEqual(["failed", "published"]);
    expect(await number("SELECT count(*) FROM outbox_console.delivery")).toBe(0);
  });

  test("a dead message whose image would not come back stays in its table and is told beside it", async () => {
    await database.pool.query("ALTER TABLE box ADD extra json");
    await insert(2);
    await database.pool.query(`UPDATE box SET extra = '{"a":"\\u0000"}' WHERE id = 1`);
    await settle(await claimed(), { ...FAILED, kind: "dead" } as MessageOutcome);
    expect(await number("SELECT count(*) FROM box WHERE id = 1")).toBe(1);
    expect(
      await number("SELECT count(*) FROM outbox_console.delivery WHERE message_id = '1' AND dead_at IS NOT NULL"),
    ).toBe(1);
    expect(await number("SELECT count(*) FROM outbox_console.dead_letter WHERE message_id = '2'")).toBe(1);
  });

  test("a failed message that someone published meanwhile is forgotten, not tried", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    await database.pool.query("UPDATE box SET published_at = now()");
    expect(await table.claimDueRetries({ lease, limit: 10, excludeIds: [] })).toBeNull();
    expect(await number("SELECT count(*) FROM outbox_console.delivery")).toBe(0);
  });

  test("attempts that are taken back leave no trace of failure but the history", async () => {
    await insert(1);
    await settle(await claimed(), FAILED);
    await table.undoAttempts({ lease, undo: [{ id: "1", attempts: 1 }] });
    expect(await number("SELECT count(*) FROM outbox_console.delivery")).toBe(0);
    expect(await number("SELECT count(*) FROM outbox_console.attempt WHERE outcome = 'given_back'")).toBe(1);
    expect((await claimed()).messages).toMatchObject([{ attempts: 0 }]);
  });

  test("a settle waits for a row that another session holds, and is written when it lets go", async () => {
    await insert(1);
    const mine = await claimed();
    const other = await database.pool.connect();
    await other.query("BEGIN");
    await other.query("SELECT * FROM box FOR UPDATE");
    const settling = settle(mine, PUBLISHED);
    await waitFor(
      async () =>
        (await number(
          "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted",
        )) > 0,
      {
        message: "the settle waits",
      },
    );
    await other.query("COMMIT");
    other.release();
    expect((await settling).published).toEqual(["1"]);
  });

  test("a claim of this term that nobody knows of is ended after a while", async () => {
    await insert(2);
    const mine = await claimed();
    await table.endStrayClaims({ lease, knownTokens: [] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(1);
    await database.pool.query("UPDATE outbox_console.claim SET started_at = started_at - interval '1 minute'");
    await table.endStrayClaims({ lease, knownTokens: [mine.token] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(1);
    await table.endStrayClaims({ lease, knownTokens: [] });
    expect(await number("SELECT count(*) FROM outbox_console.claim")).toBe(0);
  });

  test("refuses tables that cannot tell what was published", () => {
    const refuse = (mapping: OutboxMapping) => () =>
      createRelayTable({
        outbox: "x",
        mapping,
        url: database.url,
        ordering: "none",
        maxAttempts: 1,
        relayId: "r",
        sinkName: "s",
      });
    expect(refuse({ ...MAPPING, lifecycle: { kind: "log" } })).toThrow("do not show");
    expect(refuse({ ...MAPPING, primaryKey: [] })).toThrow("primary key");
  });
});
