import { describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { column, READ_ALL } from "./box.fixture.ts";
import { MAPPING, PUBLISHED, relayBox } from "./relay-box.fixture.ts";
import { isVersion } from "./row-version.ts";

const WAITING =
  "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted";
const REPLACE = "DELETE FROM box WHERE id = 1; INSERT INTO box (id, aggregate_id, payload) VALUES (1, 'a1', 'new')";

describe("a row in the place of one in flight", () => {
  const box = relayBox();
  const { insert, claim, settle, number } = box;
  const begin = async () => {
    const client = await box.database.pool.connect();
    await client.query("BEGIN; SELECT pg_current_xact_id()");
    const commit = async () => {
      await client.query("COMMIT");
      client.release();
    };
    return { client, commit };
  };
  const claimAll = async () => (await claim({ wantLast: true })).claim!;
  const toldByWriter = (messages: readonly { version?: unknown }[]) =>
    messages.map(({ version }) => isVersion(version) && version.below === null);
  /** A transaction of another test's database keeps the snapshot's xmin, too. */
  const allBelow = () =>
    waitFor(
      async () =>
        (await number(
          "SELECT count(*) FROM box WHERE age(xmin) <= age((pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296)::text::xid)",
        )) === 0,
      { message: "the rows' transactions are below every open one" },
    );
  const unsent = () => number("SELECT count(*) FROM box WHERE published_at IS NULL");

  test.each([
    { rows: "before it", earlier: true },
    { rows: "after it", earlier: false },
  ])(
    "is told from it although its transaction began before the claim, with rows written $rows began",
    async ({ earlier }) => {
      if (earlier) await insert(2);
      if (earlier) await allBelow();
      const other = await begin();
      if (!earlier) await insert(2);
      const mine = await claimAll();
      await other.client.query(REPLACE);
      await other.commit();
      // No version is sent for the rows of transactions that had ended before all that were open.
      expect(toldByWriter(mine.messages)).toEqual([!earlier, !earlier]);
      expect(await settle(mine, PUBLISHED)).toMatchObject({
        published: ["2"],
        foreign: ["1"],
        replaced: [{ id: "1" }],
      });
      expect(await number("SELECT count(*) FROM box WHERE payload = 'new' AND published_at IS NULL")).toBe(1);
    },
  );

  test.each([{ replaced: true }, { replaced: false }])(
    "is told from one whose transaction was open when the claim began (replaced: $replaced)",
    async ({ replaced }) => {
      const other = await begin();
      await other.client.query("INSERT INTO box (aggregate_id, payload) VALUES ('a1', 'old')");
      await other.client.query("LOCK TABLE box IN ACCESS EXCLUSIVE MODE");
      const claiming = claimAll();
      await waitFor(async () => (await number(WAITING)) > 0, {
        message: "the claim waits for the table",
      });
      await other.commit();
      const mine = await claiming;
      expect(toldByWriter(mine.messages)).toEqual([true]);
      if (replaced) await box.database.pool.query(REPLACE);
      expect(await settle(mine, PUBLISHED)).toMatchObject({
        published: replaced ? [] : ["1"],
        replaced: replaced ? [{ id: "1" }] : [],
      });
      expect(await unsent()).toBe(replaced ? 1 : 0);
    },
  );

  test("keys of any characters are marked each alone, with and without a comma among them", async () => {
    await box.database.pool.query("ALTER TABLE box ALTER id DROP DEFAULT, ALTER id TYPE text");
    const id = column("id", "text");
    const table = box.open({
      mapping: { ...MAPPING, primaryKey: [id], columns: { ...MAPPING.columns, id, order: id } },
    });
    try {
      for (const keys of [
        ["c", "null", "NULL", "-"],
        ["a,b", "~d", '"', "e"],
      ]) {
        await box.database.pool.query("TRUNCATE box");
        await box.database.pool.query("INSERT INTO box (id) SELECT unnest($1::text[] || '{a,b}'::text[])", [keys]);
        const { claim: all } = await table.claimNew({ ...READ_ALL, lease: box.lease });
        const messages = all!.messages.filter(({ eventId }) => keys.includes(eventId));
        const entries = messages.map((message) => ({ token: all!.token, message, outcome: PUBLISHED }));
        const request = { lease: box.lease, entries, endedTokens: [all!.token], afterDoubt: false };
        expect((await table.settle(request)).published).toHaveLength(keys.length);
        const { rows } = await box.database.pool.query("SELECT id FROM box WHERE published_at IS NULL ORDER BY id");
        expect(rows).toEqual([{ id: "a" }, { id: "b" }]);
      }
    } finally {
      await table.close();
    }
  });
});
