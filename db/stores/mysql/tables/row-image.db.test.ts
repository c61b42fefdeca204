import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { moveToDeadLetter } from "../act/move-to-dead-letter.ts";
import { createPool, type Pool } from "../connection/pool.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { keyMatch } from "./message-key.ts";
import { outboxTable } from "./outbox-table.ts";
import { imageSurvives, insertImages } from "./row-image.ts";

const NO_FACTS = { firstErrorCode: null, firstError: null, firstFailedAt: null, lastErrorCode: null, lastError: null };

describe.each(flavorsFor("mariadb"))("images of rows on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let pool: Pool;
  beforeAll(() => {
    const { url, own } = database();
    pool = createPool({
      url,
      own,
      applicationName: "outbox-console test",
      readOnly: false,
      max: 2,
      statementTimeoutMs: 5000,
    });
  });
  afterAll(() => pool.end());

  const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: true, from: "config" });
  const mappingOf = (): OutboxMapping => ({
    table: { schema: database().name, name: "kinds" },
    primaryKey: [column("id", "int")],
    columns: { id: column("id", "int"), payload: column("id", "int") },
    lifecycle: { kind: "delete" },
    deadAttempts: null,
    archiveTable: null,
    shape: "generic",
  });

  /** A table `kinds` with a column of the definition, and one row for each value. */
  const makeTable = async (definition: string, values: readonly string[], name = "x") => {
    const quoted = `\`${name.replaceAll("`", "``")}\``;
    await database().query(
      `DROP TABLE IF EXISTS kinds; CREATE TABLE kinds (id int PRIMARY KEY, ${quoted} ${definition})`,
    );
    await database().query(
      `SET sql_mode = ''; ${values.map((value, id) => `INSERT INTO kinds (id, ${quoted}) VALUES (${id}, ${value})`).join("; ")}; SET sql_mode = DEFAULT`,
    );
    return quoted;
  };

  /** The stored bytes of every value, which the server may print differently. */
  const stored = (quoted: string) =>
    database().query(
      `SELECT id, ${quoted} AS text, HEX(${quoted}) AS hex, ${quoted} + 0e0 AS number FROM kinds ORDER BY id`,
    );

  const survives = (mapping: OutboxMapping, ids: readonly string[]) =>
    withWriteTransaction(pool, (session) => imageSurvives(session, mapping, [[...ids]]));

  /** Every row leaves the table and comes back. */
  const roundTrip = async (mapping: OutboxMapping, ids: readonly string[]) => {
    await withWriteTransaction(pool, (session) =>
      moveToDeadLetter(session, mapping, {
        outbox: "orders",
        by: "test",
        facts: ids.map((id) => ({ ...NO_FACTS, messageId: id, attempts: 1, lastFailedAt: null, fingerprint: null })),
        keys: [[...ids]],
      }),
    );
    expect(await database().query("SELECT id FROM kinds")).toEqual([]);
    await withWriteTransaction(pool, async (session) => {
      const { deadLetter } = session.own;
      for (const id of ids)
        await insertImages(session, mapping, {
          image: sql`${deadLetter.image}`,
          from: sql`${deadLetter}`,
          where: sql`${deadLetter.messageId} = ${id}`,
          byKey: keyMatch(outboxTable(mapping), [[id]]),
        });
      await session.run(sql`DELETE FROM ${deadLetter}`);
    });
  };

  const EXACT: [string, string[]][] = [
    ["bigint", ["-9223372036854775808", "0", "NULL"]],
    ["bigint unsigned", ["18446744073709551615"]],
    ["decimal(65,30)", ["12345678901234567890123456789012345.123456789012345678901234567890", "-0.1"]],
    ["float", ["3.14159274", "1e-38", "16777217", "0.1", "-0e0"]],
    ["float(7,2)", ["1.1", "12345.67"]],
    ["double", ["1.7976931348623157e308", "4.9e-324", "0.1", "-2.2250738585072014e-308", "123456789.123456789"]],
    ["double(20,3)", ["1234567.1235"]],
    ["bit(9)", ["b'100000001'", "0"]],
    ["bit(64)", ["0xffffffffffffffff"]],
    ["year", ["2024", "'0000'"]],
    ["date", ["'2024-02-29'", "'0000-00-00'", "'2024-00-00'"]],
    ["datetime(6)", ["'9999-12-31 23:59:59.999999'", "'0000-00-00'", "'2024-01-01 00:00:00.000001'"]],
    ["timestamp(3) NULL", ["'2024-01-01 00:00:00.123'", "NULL"]],
    ["time(6)", ["'-838:59:59'", "'12:00:00.000001'"]],
    ["char(10)", ["'ab  '", "''"]],
    ["varchar(100)", [String.raw`'it\'s, "x"\\ \n\0 é💥 end '`, "''", "'null'", "NULL"]],
    ["varchar(20) CHARACTER SET latin1", ["'ärger'", "x'80'"]],
    ["varchar(20) CHARACTER SET utf16", ["'é💥'"]],
    ["varchar(20) CHARACTER SET sjis", ["'日本'"]],
    ["binary(16)", ["x'00112233445566778899aabbccddeeff'"]],
    ["varbinary(20)", ["x'00ff5c27'", "''"]],
    ["longblob", ["REPEAT(x'ff00', 100000)"]],
    ["longtext", ["REPEAT('é\"\\\\💥', 50000)"]],
    ["enum('a','2','')", ["'2'", "'a'"]],
    ["set('x','y')", ["'x,y'", "''"]],
    ["json", ['\'{ "b": 1.10, "a": ["é💥", null, 18446744073709551615, 1e300] }\'', "'null'", "'\"text\"'", "NULL"]],
  ];

  test.each(EXACT)("%s comes back as it was", async (definition, values) => {
    const quoted = await makeTable(definition, values);
    const before = await stored(quoted);
    const ids = values.map((_, id) => String(id));
    expect(await survives(mappingOf(), ids)).toBe(true);
    await roundTrip(mappingOf(), ids);
    expect(await stored(quoted)).toEqual(before);
  });

  test.each(['a"b', "it's", "back\\slash", "dollar $.x[0]", "ü", "select", "a.b", "back`tick"])(
    "a column named %s comes back as it was",
    async (name) => {
      const quoted = await makeTable("varchar(20)", ["'x'", "NULL"], name);
      const before = await stored(quoted);
      expect(await survives(mappingOf(), ["0", "1"])).toBe(true);
      await roundTrip(mappingOf(), ["0", "1"]);
      expect(await stored(quoted)).toEqual(before);
    },
  );

  test("generated columns are computed again", async () => {
    await database().query(
      "DROP TABLE IF EXISTS kinds; CREATE TABLE kinds (id int PRIMARY KEY, a int, b int AS (a + 1) STORED, c int AS (a + 2) VIRTUAL)",
    );
    await database().query("INSERT INTO kinds (id, a) VALUES (0, 5)");
    expect(await survives(mappingOf(), ["0"])).toBe(true);
    await roundTrip(mappingOf(), ["0"]);
    expect(await database().query("SELECT * FROM kinds")).toEqual([{ id: "0", a: "5", b: "6", c: "7" }]);
  });

  const LOST: [string, string][] = [
    ["point", "ST_GeomFromText('POINT(1 2)')"],
    ["enum('a','b')", "'wrong'"],
    ...(flavor === "mysql"
      ? ([
          ["json", "JSON_OBJECT('at', CAST('2024-01-01' AS DATETIME))"],
          ["json", "JSON_OBJECT('n', CAST('1.10' AS DECIMAL(5,2)))"],
        ] as [string, string][])
      : []),
  ];

  test.each(LOST)("a %s that would come back otherwise stays: %s", async (definition, value) => {
    await makeTable(definition, ["NULL", value]);
    expect(await survives(mappingOf(), ["1"])).toBe(false);
    expect(await survives(mappingOf(), ["0", "1"])).toBe(false);
  });

  test("a row whose image would be longer than a packet stays", async () => {
    await makeTable("longblob", ["NULL"]);
    const [row] = await database().query("SELECT @@max_allowed_packet AS most");
    const bytes = Math.floor(Number(row?.most) * 0.6);
    await database().query(`UPDATE kinds SET x = REPEAT(x'ff', ${bytes})`);
    expect(await survives(mappingOf(), ["0"])).toBe(false);
  });

  test("an id that exists again, and a table that has changed, are conflicts", async () => {
    await makeTable("varchar(10)", ["'x'"]);
    const move = () => roundTrip(mappingOf(), ["0"]);
    await database().query("ALTER TABLE kinds ADD CONSTRAINT UNIQUE (x)");
    await withWriteTransaction(pool, (session) =>
      moveToDeadLetter(session, mappingOf(), { outbox: "orders", by: "test", facts: [], keys: [["0"]] }),
    );
    await database().query("INSERT INTO kinds VALUES (0, 'y')");
    await expect(move()).rejects.toBeDefined();
    const restore = () =>
      withWriteTransaction(pool, (session) => {
        const { deadLetter } = session.own;
        return insertImages(session, mappingOf(), {
          image: sql`${deadLetter.image}`,
          from: sql`${deadLetter}`,
          where: sql`${deadLetter.messageId} = '0'`,
          byKey: keyMatch(outboxTable(mappingOf()), [["0"]]),
        });
      });
    await expect(restore()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("same id") });
    await database().query("DELETE FROM kinds; ALTER TABLE kinds DROP COLUMN x");
    await expect(restore()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("has changed"),
    });
    expect(await database().query("SELECT id FROM kinds")).toEqual([]);
  });
});
