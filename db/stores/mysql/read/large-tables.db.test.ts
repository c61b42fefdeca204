import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import { flavorsFor, type MysqlTestDatabase, testMysqlDatabase } from "#tests/mysql.ts";
import { forgetReadings } from "../plans/table-access.ts";
import { type ForeignBox, openForeignBox, publishedAt } from "./foreign-box.fixture.ts";

const ROWS = 200_000;
const FILL_TIMEOUT_MS = 120_000;

/** Numbers from 0 on, as rows `n`. */
const NUMBERS = `(SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 100000 * f.n AS n FROM ${[
  "a",
  "b",
  "c",
  "d",
  "e",
]
  .map(
    (name) =>
      `(SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) ${name}`,
  )
  .join(", ")}, (SELECT 0 AS n UNION ALL SELECT 1) f) numbers`;

async function fill(database: MysqlTestDatabase, columns: string, values: string, rows = ROWS) {
  await database.query(
    `CREATE TABLE outbox (id bigint PRIMARY KEY, aggregate varchar(40), kind varchar(40), payload longtext, created_at datetime(6), ${columns})`,
  );
  await database.query(
    `INSERT INTO outbox SELECT n, CONCAT('a', n % 5000), 'order.placed', REPEAT('x', 200), '2026-01-01' + INTERVAL n SECOND, ${values} FROM ${NUMBERS} WHERE n < ${rows}`,
  );
  await database.query("ANALYZE TABLE outbox");
}

describe.each(flavorsFor("mysql"))("%s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let box: ForeignBox;
  const read = (filter: MessageFilter, more: { cursor?: string; limit?: number } = {}) => {
    forgetReadings(box.ref);
    return box.outbox.read.list({ filter, limit: 50, ...more });
  };
  const ids = async (filter: MessageFilter, more: { cursor?: string; limit?: number } = {}) =>
    (await read(filter, more)).rows.map(({ id }) => Number(id));
  const counts = async () => {
    forgetReadings(box.ref);
    return (await box.outbox.read.figures()).counts;
  };
  const pages = async (filter: MessageFilter, limit: number) => {
    const found: number[] = [];
    let cursor: string | null = null;
    for (let turn = 0; turn === 0 || cursor; turn++) {
      const page = await read(filter, { limit, ...(cursor ? { cursor } : {}) });
      found.push(...page.rows.map(({ id }) => Number(id)));
      cursor = page.nextCursor;
    }
    return found;
  };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

  describe("a time of publication", () => {
    const WAITING = 4000;
    beforeAll(async () => {
      await fill(database(), "published_at datetime(6)", `IF(n < ${ROWS - WAITING}, '2026-02-01', NULL)`);
      box = await openForeignBox(database(), {
        table: "outbox",
        roles: {
          id: "id",
          payload: "payload",
          aggregateId: "aggregate",
          eventType: "kind",
          createdAt: "created_at",
          order: "id",
        },
        lifecycle: publishedAt,
      });
    }, FILL_TIMEOUT_MS);
    afterAll(async () => {
      await box?.store.close();
      await database().query("DROP TABLE IF EXISTS outbox");
    });

    test("without an index: nothing is scanned, and every answer says so", async () => {
      const { pending, published, dead } = await counts();
      expect(pending.precision).toBe("unknown");
      expect(published.precision).toBe("unknown");
      expect(dead).toEqual({ value: 0, precision: "exact" });
      for (const filter of [
        { eventType: "x" },
        { aggregateId: "a1" },
        { q: "a1" },
        { from: "2026-01-01T00:00:00Z" },
        { error: "x" },
      ]) {
        const answer = read({ state: "published", ...filter });
        await expect(answer, JSON.stringify(filter)).rejects.toMatchObject({
          code: "filter_not_indexed",
          details: { index: expect.stringContaining("CREATE INDEX") },
        });
      }
      expect(await read({ state: "pending" })).toMatchObject({
        rows: [],
        nextCursor: null,
        partial: { read: 0, index: expect.stringContaining("`published_at`, `id`") },
        matching: null,
      });
      expect(await ids({ state: "all", q: "7" })).toEqual([7]);
      expect(await box.outbox.read.has({ eventType: "x" })).toBeNull();
      expect(await box.outbox.read.message("7")).toMatchObject({
        neighbours: [{ id: "7" }],
        neighboursUnread: expect.stringContaining("no index"),
      });
      expect((await box.outbox.read.failures("text")).native).toEqual([]);
      const { waiting } = await box.outbox.read.figures();
      expect(waiting).toMatchObject({ oldest: null, oldestKnown: false });
    });

    test("each advised statement is accepted, and then serves", async () => {
      const before = await box.outbox.read.judgeIndexes({ lanes: true });
      expect(before.small).toBe(false);
      expect(before.claim?.indexed).toBe(false);
      expect(before.indexes.map(({ use, verdict }) => [use, verdict])).toEqual([
        ["waiting", "missing"],
        ["history", "missing"],
        ["aggregate", "missing"],
      ]);
      for (const { sql } of before.indexes) await database().query(sql);
      const after = await box.outbox.read.judgeIndexes({ lanes: true });
      expect(after.indexes.every(({ verdict }) => verdict === "ok")).toBe(true);
      expect(after.claim).toEqual({ indexed: true, index: "outbox_published_at_id_idx" });

      const { pending, published } = await counts();
      expect(pending).toEqual({ value: WAITING, precision: "exact" });
      expect(published.precision).toBe("estimate");
      expect(Math.abs(published.value - (ROWS - WAITING))).toBeLessThan(ROWS / 4);
      expect((await box.outbox.read.figures()).waiting).toMatchObject({
        oldest: { id: String(ROWS - WAITING) },
        oldestKnown: true,
      });
    });

    test("lists come page by page in their order, and their counts are bounded", async () => {
      expect(await pages({ state: "pending" }, 1500)).toEqual(range(ROWS - WAITING, ROWS));
      expect(await ids({ state: "published" }, { limit: 3 })).toEqual([
        ROWS - WAITING - 1,
        ROWS - WAITING - 2,
        ROWS - WAITING - 3,
      ]);
      expect(await ids({ state: "all" }, { limit: 3 })).toEqual([ROWS - 1, ROWS - 2, ROWS - 3]);
      expect((await read({ state: "published" })).matching).toEqual({ value: 10_000, capped: true });
      expect((await read({ state: "pending" })).matching).toEqual({ value: WAITING, capped: false });
      expect((await ids({ state: "all", aggregateId: "a7" })).sort((one, other) => one - other)).toEqual(
        range(0, 40).map((n) => n * 5000 + 7),
      );
      expect(await ids({ state: "pending", aggregateId: "a4999" })).toEqual([ROWS - 1]);
      expect(await ids({ state: "all", from: "2026-01-01T00:00:10Z", to: "2026-01-01T00:00:12Z" })).toEqual([11, 10]);
      expect(await ids({ state: "all", q: "a7" }, { limit: 1 })).toEqual([39 * 5000 + 7]);
      const searched = await read({ state: "all", q: "a4990" }, { limit: 100 });
      expect(searched.rows.map(({ id }) => Number(id)).reverse()).toEqual(range(0, 40).map((n) => n * 5000 + 4990));
      expect(searched.partial?.read, "the type has no index").toBe(10_000);
      expect(await box.outbox.read.has({ aggregateKey: "a7" })).toBe(true);
      const message = await box.outbox.read.message("7");
      expect(message?.neighbours).toHaveLength(7);
      expect(message?.neighboursUnread).toBeNull();
    });

    test("a filter without an index of its own looks through as much as it may, and says where it stopped", async () => {
      const page = await read({ state: "pending", eventType: "no.such" });
      expect(page).toMatchObject({ rows: [], nextCursor: null, partial: null, matching: { value: 0, capped: false } });
      const wide = await read({ state: "published", eventType: "no.such" });
      expect(wide).toMatchObject({
        rows: [],
        partial: { read: 10_000, index: expect.stringContaining("`kind`") },
        matching: null,
      });
      expect(wide.nextCursor).not.toBeNull();
      const next = await read({ state: "published", eventType: "no.such" }, { cursor: wide.nextCursor ?? "" });
      expect(next.nextCursor).not.toBe(wide.nextCursor);
    });

    test("an index that is dropped is looked for anew", async () => {
      expect((await box.outbox.read.figures()).counts.pending.precision).toBe("exact");
      await database().query("DROP INDEX outbox_published_at_id_idx ON outbox");
      expect((await box.outbox.read.figures()).counts.pending.precision).toBe("unknown");
    });
  });

  describe("a status of several words, and attempts", () => {
    beforeAll(async () => {
      const word =
        "CASE WHEN n < 190000 THEN 'SENT' WHEN n < 193000 THEN 'DEAD' ELSE ELT(1 + n % 3, 'NEW', 'SENDING', 'FAILED') END";
      await fill(
        database(),
        "status varchar(300) COLLATE utf8mb4_general_ci NOT NULL, tries int NOT NULL, error varchar(200)",
        `${word}, IF(n >= 199900, 9, IF(n >= 199000, 1, 0)), IF(n >= 190000, 'HTTP 500', NULL)`,
      );
      box = await openForeignBox(database(), {
        table: "outbox",
        roles: {
          id: "id",
          payload: "payload",
          aggregateId: "aggregate",
          eventType: "kind",
          createdAt: "created_at",
          order: "id",
          attempts: "tries",
          lastError: "error",
          status: "status",
        },
        lifecycle: (column) => ({
          kind: "status",
          column: column("status"),
          ...{
            pending: ["NEW"],
            inFlight: ["SENDING"],
            failed: ["FAILED"],
            published: ["SENT"],
            dead: ["DEAD"],
            expired: [],
          },
        }),
        deadAttempts: 5,
      });
    }, FILL_TIMEOUT_MS);
    afterAll(async () => {
      await box?.store.close();
      await database().query("DROP TABLE IF EXISTS outbox");
    });

    test("without an index the failures are not read", async () => {
      forgetReadings(box.ref);
      expect(await box.outbox.read.failures("text")).toMatchObject({
        native: [],
        complete: false,
        index: expect.stringContaining("`status`"),
      });
      await expect(read({ state: "dead", error: "500" })).rejects.toMatchObject({ code: "filter_not_indexed" });
    });

    test("the advised indexes serve every word at once, in order", async () => {
      const { indexes } = await box.outbox.read.judgeIndexes({ lanes: false });
      const statements = [...new Set(indexes.map(({ sql }) => sql))];
      for (const statement of statements) await database().query(statement);
      const after = await box.outbox.read.judgeIndexes({ lanes: false });
      expect(after.indexes.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
      const waiting = range(193_000, 199_900);
      expect(await pages({ state: "unsent" }, 2000)).toEqual(waiting);
      const { pending, failed, in_flight, dead, unknown } = await counts();
      expect([pending.precision, failed.precision, in_flight.precision]).toEqual(["exact", "exact", "exact"]);
      expect(in_flight.value).toBe(waiting.filter((n) => n % 3 === 1).length);
      expect(failed.value).toBe(waiting.filter((n) => n % 3 === 2 || (n % 3 === 0 && n >= 199_000)).length);
      expect(pending.value + failed.value + in_flight.value).toBe(waiting.length);
      expect(dead).toEqual({ value: 3100, precision: "exact" });
      expect(unknown).toEqual({ value: 0, precision: "exact" });
      expect(await ids({ state: "dead" }, { limit: 2 })).toEqual([199_999, 199_998]);
      expect((await read({ state: "dead", error: "500" }, { limit: 5 })).rows).toHaveLength(5);
      const failures = await box.outbox.read.failures("text");
      expect(failures.complete).toBe(true);
      expect(failures.native).toHaveLength(
        3100 + failed.value + waiting.filter((n) => n % 3 === 1 && n >= 199_000).length,
      );
      const { oldest, oldestKnown } = (await box.outbox.read.figures()).waiting;
      expect({ id: oldest?.id, oldestKnown }).toEqual({ id: "193000", oldestKnown: true });
    });
  });

  describe("more dead messages than one read takes", () => {
    const MADE = 80_000;
    const DEAD = 30_000;
    const roles = { id: "id", payload: "payload", eventType: "kind", createdAt: "created_at", order: "id" };
    afterEach(async () => {
      await box?.store.close();
      await database().query("DROP TABLE IF EXISTS outbox");
    });
    const createAdvised = async () => {
      const { indexes } = await box.outbox.read.judgeIndexes({ lanes: false });
      for (const sql of new Set(indexes.map((index) => index.sql))) await database().query(sql);
    };
    const expectNewestFirst = async () => {
      const page = await read({ state: "dead" }, { limit: 3 });
      expect(page.rows.map(({ id }) => Number(id))).toEqual([DEAD - 1, DEAD - 2, DEAD - 3]);
      expect(page.partial).toBeNull();
      expect(await pages({ state: "dead" }, 8000)).toEqual(range(0, DEAD).reverse());
      const searched = await read({ state: "dead", eventType: "no.such" });
      expect(searched.rows).toEqual([]);
      expect(searched.nextCursor, "the search continues").not.toBeNull();
    };

    test(
      "by their attempts: the newest come first, with the advised indexes",
      async () => {
        const values = `IF(n < ${DEAD} OR n >= ${MADE - 100}, NULL, '2026-02-01'), IF(n < ${DEAD}, IF(n = 7, 6, 5), 0)`;
        await fill(database(), "published_at datetime(6), tries int NOT NULL", values, MADE);
        const by = { ...roles, attempts: "tries", publishedAt: "published_at" };
        box = await openForeignBox(database(), { table: "outbox", roles: by, lifecycle: publishedAt, deadAttempts: 5 });
        await createAdvised();
        await expectNewestFirst();
      },
      FILL_TIMEOUT_MS,
    );

    test(
      "by a word: the newest come first, with an index in the order of deliveries alone",
      async () => {
        const values = `IF(n < ${DEAD}, 'DEAD', IF(n < ${MADE - 100}, 'SENT', 'NEW'))`;
        await fill(database(), "status varchar(20) NOT NULL", values, MADE);
        const words = { pending: ["NEW"], inFlight: [], failed: [], published: ["SENT"], dead: ["DEAD"], expired: [] };
        box = await openForeignBox(database(), {
          table: "outbox",
          roles: { ...roles, status: "status" },
          lifecycle: (column) => ({ kind: "status", column: column("status"), ...words }),
        });
        await createAdvised();
        await expectNewestFirst();
      },
      FILL_TIMEOUT_MS,
    );
  });
});
