import { describe, expect, test } from "vitest";
import type { Horizon } from "#db/stores/port/relay/claim.ts";
import { waitFor } from "#tests/wait-for.ts";
import { outboxLockSql } from "../../tables/outbox-lock.ts";
import { column, FAILED, READ_ALL } from "../box.fixture.ts";
import { MAPPING, relayBox } from "../relay-box.fixture.ts";

describe("the relay's side of a table", () => {
  const box = relayBox();
  const { open, insert, claim, claimed, settle, number } = box;

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

  test("ends a claim by the bytes of its headers, too", async () => {
    await box.database.pool.query("ALTER TABLE box ADD headers text, ALTER headers SET STORAGE EXTERNAL");
    await insert(4);
    await box.database.pool.query("UPDATE box SET headers = repeat('x', 100000)");
    const mapping = { ...MAPPING, columns: { ...MAPPING.columns, headers: column("headers", "text") } };
    const table = open({ mapping });
    const { claim } = await table.claimNew({ ...READ_ALL, lease: box.lease, maxBytes: 150_000 });
    expect(claim?.messages.map(({ id }) => id)).toEqual(["1", "2"]);
    await table.close();
  });

  test("reads a backlog on up to what was written a moment ago, and does not take that for its end", async () => {
    await insert(6);
    await box.database.pool.query("UPDATE box SET created_at = now() - interval '1 minute' WHERE id <> 5");
    const read = await claim({ after: ["2", "2"], agedMs: 10_000 });
    expect(read.claim?.messages.map(({ id }) => id)).toEqual(["2", "3", "4"]);
    expect(read.more).toBe(true);
    expect((await claim({ after: ["7", "7"], agedMs: 10_000 })).more).toBe(true);
  });

  /** Every transaction below those of the rows has ended, also in other databases of the server. */
  const allEnded = () =>
    waitFor(
      async () =>
        (await number(
          "SELECT count(*) FROM box WHERE age(xmin) <= age((pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296)::text::xid)",
        )) === 0,
      { message: "all that began before the rows were written has ended" },
    );

  test("reads a backlog on up to the first row that was committed later than an earlier read, even in a savepoint", async () => {
    await box.database.pool.query("ALTER TABLE box ALTER created_at SET DEFAULT now() - interval '1 minute'");
    await insert(2);
    await allEnded();
    const slow = await box.database.pool.connect();
    await slow.query("BEGIN");
    await slow.query("SELECT pg_current_xact_id()");
    const { horizon: since } = await claim();
    await slow.query("SAVEPOINT inner_one");
    await slow.query("INSERT INTO box (aggregate_id) VALUES ('b')");
    await slow.query("RELEASE inner_one");
    await slow.query("COMMIT");
    slow.release();
    const readOn = async (horizon: Horizon) => {
      const read = await claim({ after: ["2", "2"], agedMs: 10_000, since: horizon });
      expect(read.more).toBe(true);
      return read.claim?.messages.map(({ id }) => id);
    };
    expect(await readOn(since)).toEqual(["2"]);
    await allEnded();
    expect(await readOn((await claim()).horizon)).toEqual(["2", "3"]);
  });

  test("tells the last row by the very position that its message has, so that it is known to be in memory", async () => {
    await box.database.pool.query("ALTER TABLE box ADD event uuid NOT NULL DEFAULT gen_random_uuid()");
    await insert(3);
    const mapping = { ...MAPPING, columns: { ...MAPPING.columns, id: column("event", "uuid") } };
    const other = open({ mapping });
    try {
      const read = await other.claimNew({ ...READ_ALL, lease: box.lease, wantLast: true });
      expect(read.last).toEqual(read.claim?.messages.at(-1)?.order);
      const again = {
        ...READ_ALL,
        lease: box.lease,
        after: read.last,
        excludeIds: [read.claim?.messages.at(-1)?.id ?? ""],
      };
      expect((await other.claimNew(again)).claim).toBeNull();
    } finally {
      await other.close();
    }
  });

  test("brings further columns as text, under their names, also by the retry path", async () => {
    await box.database.pool.query(`ALTER TABLE box ADD "The ""op""" text, ADD version numeric DEFAULT 1.10`);
    await box.database.pool.query(`INSERT INTO box (aggregate_id, "The ""op""") VALUES ('a', 'INSERT'), ('b', NULL)`);
    const fields = { operation: 'The "op"', version: "version", who: "aggregate_id" };
    const other = open({ fields });
    try {
      const read = (await other.claimNew({ ...READ_ALL, lease: box.lease })).claim ?? { token: "", messages: [] };
      expect(read.messages.map((message) => message.fields)).toEqual([
        { operation: "INSERT", version: "1.10", who: "a" },
        { operation: null, version: "1.10", who: "b" },
      ]);
      await settle(read, FAILED);
      const again = await other.claimDueRetries({ lease: box.lease, limit: 1, excludeIds: [] });
      expect(again?.messages[0]?.fields).toEqual({ operation: "INSERT", version: "1.10", who: "a" });
    } finally {
      await other.close();
    }
  });

  test("ends a claim by its bytes, and says that there is more", async () => {
    await insert(2);
    await box.database.pool.query("ALTER TABLE box ALTER payload SET STORAGE EXTERNAL");
    await insert(5, "y".repeat(100_000));
    const found = await claim({ maxBytes: 250_000 });
    expect(found.claim?.messages).toHaveLength(5);
    expect(found.more).toBe(true);
    const [last] = (await claim({ maxBytes: 1, after: ["7", "7"] })).claim?.messages ?? [];
    expect(last?.payload).toHaveLength(100_000);
  });

  test("a claim waits for an operator's verb on the outbox, and sees what it did", async () => {
    await insert(2);
    const operator = await box.database.pool.connect();
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
});
