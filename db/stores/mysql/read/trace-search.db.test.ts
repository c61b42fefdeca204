import { afterEach, describe, expect, test } from "vitest";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { type ForeignBox, openForeignBox, publishedAt } from "./foreign-box.fixture.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER = "0af7651916cd43dd8448eb211c80319c";
const DASHED = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const inHeaders = (id: string) => JSON.stringify({ traceparent: `00-${id}-00f067aa0ba902b7-01` });

describe.each(flavorsFor("mariadb"))("%s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let box: ForeignBox;
  afterEach(async () => {
    await box.store.close();
    await database().query("DROP TABLE outbox");
  });

  const open = async (column: string) => {
    const role = column === "headers" ? { headers: column } : { traceId: column };
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: { ...{ id: "id", payload: "payload", createdAt: "created_at", order: "id" }, ...role },
      lifecycle: publishedAt,
    });
  };
  const create = (column: string, type: string) =>
    database().query(
      `CREATE TABLE outbox (id bigint AUTO_INCREMENT PRIMARY KEY, payload longtext, created_at datetime(6) DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6), ${column} ${type})`,
    );
  const list = (filter: Partial<MessageFilter>) =>
    box.outbox.read.list({ filter: { state: "all", traceId: TRACE, ...filter }, limit: 50 });
  const idsOf = async (filter: Partial<MessageFilter> = {}) =>
    (await list(filter)).rows.map(({ id }) => Number(id)).sort();

  test.each([
    [
      "a text, however it is written",
      "trace_id",
      "varchar(80)",
      [TRACE, TRACE.toUpperCase(), DASHED, PARENT, OTHER, null, `${TRACE}00`],
      [1, 2, 3, 4],
    ],
    ["16 bytes", "trace_id", "binary(16)", [TRACE, OTHER], [1]],
    [
      "headers in JSON",
      "headers",
      "json",
      [inHeaders(TRACE), inHeaders(OTHER), JSON.stringify({ note: TRACE }), "[1]", null],
      [1],
    ],
    ["headers of another form", "headers", "longtext", [`traceparent=${PARENT}`, inHeaders(OTHER), null], [1]],
    ["headers in bytes", "headers", "longblob", [inHeaders(TRACE), inHeaders(OTHER)], [1]],
  ])(
    "finds the messages of a trace by %s, in the table and among the dead letters",
    async (_, column, type, values, expected) => {
      await create(column, type);
      for (const value of values)
        await database().query(
          `INSERT INTO outbox (payload, ${column}) VALUES ('{}', ${type === "binary(16)" ? "UNHEX(?)" : "?"})`,
          [value],
        );
      await open(column);
      expect(await idsOf()).toEqual(expected);
      for (const { id, version } of (await list({})).rows)
        await box.outbox.act.perform(
          {
            ...{
              action: "dead-letter",
              id,
              version,
              reason: "a reason",
              operationId: null,
              actor: { name: "olga", role: "operator" },
            },
          } as never,
          5_000,
        );
      expect(await idsOf({ state: "dead" })).toEqual(expected);
      expect(await idsOf({ state: "dead", traceId: "1".repeat(32) })).toEqual([]);
    },
  );

  test.each([
    ["trace_id", "varchar(64)", "MD5(n)", /^CREATE INDEX/],
    ["headers", "json", "JSON_OBJECT('traceparent', CONCAT('00-', MD5(n), '-00f067aa0ba902b7-01'))", /^ALTER TABLE/],
  ])(
    "by %s a search of a large table is refused, and names what would serve it",
    async (column, type, value, advice) => {
      await create(column, type);
      await database().query(
        `INSERT INTO outbox (payload, ${column}) WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000) SELECT REPEAT('x', 1500), ${value.replaceAll("n)", "(a.n * 1000 + b.n))")} FROM numbers a JOIN numbers b ON a.n <= 40`,
      );
      await database().query("ANALYZE TABLE outbox");
      await open(column);
      const traceId = String((await database().query("SELECT MD5(7777) AS trace"))[0]?.trace);
      const refusal = await list({ traceId }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "filter_not_indexed", details: { index: expect.stringMatching(advice) } });
      await database().query((refusal as { details: { index: string } }).details.index);
      await box.store.close();
      await open("trace_id");
      const found = await list({ traceId });
      expect([found.rows.length, found.partial]).toEqual([1, null]);
    },
  );
});
