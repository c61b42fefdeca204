import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { type ForeignBox, openForeignBox, publishedAt } from "./foreign-box.fixture.ts";

const FIVE_MEGABYTES = 5_000_000;

describe.each(flavorsFor("mysql"))("%s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let box: ForeignBox;
  const query = (statement: string, values: unknown[] = []) => database().query(statement, values);
  const list = async (state: (typeof MESSAGE_STATES)[number] | "all" | "unsent") =>
    (await box.outbox.read.list({ filter: { state }, limit: 100 })).rows;
  const states = async () => {
    const { counts } = await box.outbox.read.figures();
    const found = MESSAGE_STATES.filter((state) => counts[state].value > 0);
    return Object.fromEntries(found.map((state) => [state, counts[state].value]));
  };

  beforeEach(async () => {
    const tables = await query(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()",
    );
    for (const { name } of tables) await query(`DROP TABLE \`${String(name).replaceAll("`", "``")}\``);
  });
  afterEach(() => box?.store.close());

  test("a table of upper-case and odd names, with a column named select", async () => {
    await query(
      "CREATE TABLE `Out``BOX ?` (`ID` char(36) CHARACTER SET ascii PRIMARY KEY, `select` varchar(40), `Größe 😀` longtext, `100%_? of` datetime(6) DEFAULT CURRENT_TIMESTAMP(6), `published_at` datetime NULL)".replace(
        " 😀",
        "",
      ),
    );
    await query("INSERT INTO `Out``BOX ?` (`ID`, `select`, `Größe`) VALUES (UUID(), 'it''s', 'body')");
    box = await openForeignBox(database(), {
      table: "Out`BOX ?",
      roles: { id: "ID", payload: "Größe", eventType: "select", createdAt: "100%_? of" },
      lifecycle: publishedAt,
    });
    const [row] = await list("pending");
    expect(row).toMatchObject({ eventType: "it's", state: "pending" });
    const message = await box.outbox.read.message(row?.id ?? "");
    expect(message?.content).toMatchObject({ payload: { text: "body", format: "text" } });
    expect(message?.content.columns.map(({ name }) => name)).toEqual(["ID", "select", "100%_? of", "published_at"]);
    const [shown] = await query(message?.statement ?? "");
    expect(shown).toMatchObject({ ID: row?.id, Größe: "body" });
    expect(await box.outbox.read.sample({ kind: "select" })).toMatchObject([{ fields: { kind: "it's" } }, {}]);
    for (const { sql } of (await box.outbox.read.judgeIndexes(null)).indexes) await query(sql);
  });

  test.each([
    ["tinyint(1)", "0", "1", "2"],
    ["bit(1)", "b'0'", "b'1'", "b'1'"],
    ["boolean", "FALSE", "TRUE", "TRUE"],
  ])("a flag of %s, null in some rows", async (type, no, yes, also) => {
    await query(`CREATE TABLE outbox (id bigint AUTO_INCREMENT PRIMARY KEY, payload json, sent ${type} NULL)`);
    await query(
      `INSERT INTO outbox (payload, sent) VALUES ('{}', ${no}), ('{}', ${yes}), ('{}', ${also}), ('{}', NULL)`,
    );
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: { id: "id", payload: "payload" },
      lifecycle: (column) => ({ kind: "flag", column: column("sent") }),
    });
    expect(await states()).toEqual({ pending: 1, published: 2, unknown: 1 });
    for (const [state, ids] of [
      ["pending", ["1"]],
      ["unknown", ["4"]],
    ] as const)
      expect((await list(state)).map(({ id }) => id)).toEqual(ids);
    expect((await box.outbox.read.message("1"))?.content.payload).toMatchObject({ text: "{}", format: "json" });
  });

  test.each([
    ["smallint", ["0", "1", "2", "3"]],
    ["enum('NEW','SENDING','SENT','DEAD')", ["NEW", "SENDING", "SENT", "DEAD"]],
    ["varchar(20) COLLATE utf8mb4_general_ci", ["new", "SENDING", "SENT ", "dead"]],
    ["char(10) CHARACTER SET latin1", ["NEW", "SENDING", "SENT", "DEAD"]],
  ])("a status of %s", async (type, words) => {
    const [pending = "", inFlight = "", published = "", dead = ""] = words;
    await query(
      `CREATE TABLE outbox (id bigint AUTO_INCREMENT PRIMARY KEY, payload longtext, state ${type} NULL, tries int NOT NULL DEFAULT 0, locked_until datetime(6))`,
    );
    await query(
      "INSERT INTO outbox (payload, state, tries, locked_until) VALUES ('', ?, 0, NULL), ('', ?, 0, UTC_TIMESTAMP(6) + INTERVAL 1 HOUR), ('', ?, 0, NULL), ('', ?, 9, NULL), ('', ?, 2, NULL), ('', NULL, 0, NULL), ('', ?, 3, NULL), ('', ?, 0, UTC_TIMESTAMP(6) - INTERVAL 1 HOUR)",
      [pending, inFlight, published, dead, pending, pending, inFlight],
    );
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: { id: "id", payload: "payload", status: "state", attempts: "tries", lockedUntil: "locked_until" },
      lifecycle: (column) => ({
        kind: "status",
        column: column("state"),
        ...{ pending: [pending.trim().toUpperCase()], inFlight: [inFlight], failed: ["no such word"] },
        ...{ published: [published.trim()], dead: [dead.toUpperCase()], expired: [] },
      }),
      deadAttempts: 3,
    });
    expect(await states()).toEqual({ pending: 2, failed: 1, in_flight: 1, published: 1, dead: 2, unknown: 1 });
    expect((await list("in_flight")).map(({ id, rawStatus }) => [id, rawStatus])).toEqual([["2", inFlight]]);
    const expired = (await list("pending")).find(({ id }) => id === "8");
    expect(expired).toMatchObject({ claimExpired: true });
    for (const { sql } of (await box.outbox.read.judgeIndexes({ lanes: true })).indexes) {
      // Some advise the same index.
      await query(sql).catch((error: { errno?: number }) => expect(error.errno).toBe(1061));
    }
    expect((await box.outbox.read.judgeIndexes(null)).indexes.map(({ verdict }) => verdict)).not.toContain("missing");
  });

  test("messages without aggregates or types, and emoji in every text", async () => {
    await query(
      "CREATE TABLE outbox (id varchar(40) PRIMARY KEY, aggregate varchar(40), kind varchar(40), payload longtext, headers json, error text, created_at timestamp(6) NULL, published_at timestamp NULL)",
    );
    await query(
      `INSERT INTO outbox VALUES ('1', NULL, NULL, '😀 漢字', '{"a":"😀"}', 'Zeile 1\\nZeile 2 😀', '2026-03-01 10:00:00.123456', NULL), ('2', '', '', '', '{}', NULL, NULL, '2026-03-01 10:00:01')`,
    );
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: {
        ...{ id: "id", payload: "payload", headers: "headers", aggregateId: "aggregate", eventType: "kind" },
        ...{ createdAt: "created_at", publishedAt: "published_at", lastError: "error" },
      },
      lifecycle: publishedAt,
    });
    const all = await list("all");
    expect(
      all.map(({ id, aggregateId, eventType, createdAt, publishedAt: at, lastError }) => [
        id,
        aggregateId,
        eventType,
        createdAt,
        at,
        lastError,
      ]),
    ).toEqual([
      ["1", null, null, "2026-03-01T10:00:00.123456Z", null, "Zeile 1\nZeile 2 😀"],
      ["2", "", "", null, "2026-03-01T10:00:01.000000Z", null],
    ]);
    const message = await box.outbox.read.message("1");
    expect(message?.content).toMatchObject({
      payload: { text: "😀 漢字", totalBytes: 11 },
      headers: { format: "json" },
    });
    expect((await box.outbox.read.list({ filter: { state: "all", error: "ZEILE 2 😀" }, limit: 5 })).rows).toHaveLength(
      1,
    );
    expect((await box.outbox.read.list({ filter: { state: "all", error: "100%" }, limit: 5 })).rows).toHaveLength(0);
  });

  test("bytes as payload and in other columns", async () => {
    await query(
      "CREATE TABLE outbox (id binary(16) PRIMARY KEY, tenant binary(16), digest varbinary(8), payload longblob, published_at datetime(6))",
    );
    await query(
      "INSERT INTO outbox VALUES (UNHEX(REPEAT('0a', 16)), UNHEX(REPEAT('0b', 16)), x'00ff', x'00ff10', NULL)",
    );
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: { id: "id", payload: "payload", aggregateId: "tenant" },
      lifecycle: publishedAt,
    });
    const id = "0a0a0a0a-0a0a-0a0a-0a0a-0a0a0a0a0a0a";
    const tenant = id.replaceAll("a", "b");
    const message = await box.outbox.read.message(id);
    expect(message?.row).toMatchObject({ id, aggregateId: tenant });
    expect(message?.content).toEqual({
      payload: { text: Buffer.from([0, 255, 16]).toString("base64"), totalBytes: 3, shownBytes: 3, format: "base64" },
      headers: null,
      columns: [
        { name: "id", value: id },
        { name: "tenant", value: tenant },
        { name: "digest", value: "00ff" },
        { name: "published_at", value: null },
      ],
    });
    expect((await box.outbox.read.list({ filter: { state: "all", aggregateId: tenant }, limit: 5 })).rows).toHaveLength(
      1,
    );
    expect(await query(message?.statement ?? "")).toHaveLength(1);
  });

  test("no list, count or sample touches the payload", async () => {
    await query(
      "CREATE TABLE outbox (id bigint AUTO_INCREMENT PRIMARY KEY, kind varchar(40), aggregate varchar(40), payload longtext, headers longtext, created_at datetime(6) DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6))",
    );
    for (let n = 0; n < 4; n++)
      await query("INSERT INTO outbox (kind, aggregate, payload) VALUES ('k', 'a', REPEAT('x', ?))", [FIVE_MEGABYTES]);
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: {
        id: "id",
        payload: "payload",
        headers: "headers",
        eventType: "kind",
        aggregateId: "aggregate",
        createdAt: "created_at",
      },
      lifecycle: publishedAt,
    });
    const payload = (await box.outbox.read.message("1"))?.content.payload;
    expect(payload).toMatchObject({ totalBytes: FIVE_MEGABYTES, shownBytes: 256 * 1024 });
    await query("ALTER TABLE outbox DROP payload");
    expect(await list("all")).toHaveLength(4);
    expect(await states()).toEqual({ pending: 4 });
    expect((await box.outbox.read.failures("text")).complete).toBe(true);
    expect(await box.outbox.read.has({ eventType: "k" })).toBe(true);
    await expect(box.outbox.read.message("1")).rejects.toMatchObject({ trouble: "missing" });
  });

  describe("times", () => {
    const openTimes = async (
      column: string,
      values: string[],
      more: Partial<Parameters<typeof openForeignBox>[1]> = {},
    ) => {
      await query(
        `CREATE TABLE outbox (id bigint AUTO_INCREMENT PRIMARY KEY, payload longtext, at ${column}, published_at datetime(6), KEY (at))`,
      );
      for (const value of values) await query("INSERT INTO outbox (payload, at) VALUES ('', ?)", [value]);
      box = await openForeignBox(database(), {
        table: "outbox",
        roles: { id: "id", payload: "payload", createdAt: "at" },
        lifecycle: publishedAt,
        ...more,
      });
    };
    const created = async () =>
      (await list("unsent")).sort((one, other) => Number(one.id) - Number(other.id)).map(({ createdAt }) => createdAt);
    const between = async (from: string, to: string) =>
      (await box.outbox.read.list({ filter: { state: "all", from, to }, limit: 9 })).rows.map(({ id }) => id);

    test("a datetime without a zone, with microseconds, in UTC", async () => {
      await openTimes("datetime(6)", ["2026-03-01 10:00:00.000001", "9999-12-31 23:59:59.999999"]);
      expect(await created()).toEqual(["2026-03-01T10:00:00.000001Z", "9999-12-31T23:59:59.999999Z"]);
      expect(await between("2026-03-01T10:00:00.000001Z", "2026-03-01T10:00:00.000002Z")).toEqual(["1"]);
      expect(await between("2026-03-01T12:00:00.000002+02:00", "2026-03-02T00:00:00Z")).toEqual([]);
    });

    test("a datetime in a zone by its offset", async () => {
      await openTimes("datetime(3)", ["2026-03-01 10:00:00.5", "9999-12-31 23:59:59"], { zone: "-05:30" });
      expect(await created()).toEqual(["2026-03-01T15:30:00.500000Z", "9999-12-31T23:59:59.000000Z"]);
      expect(await between("2026-03-01T15:30:00.5Z", "2026-03-01T15:30:00.6Z")).toEqual(["1"]);
    });

    test("a datetime in a zone that the server does not know is refused, never shown wrong", async () => {
      await openTimes("datetime", ["2026-03-01 10:00:00"], { zone: "Europe/Berlin" });
      const [known] = await query("SELECT CONVERT_TZ('2026-03-01 10:00:00', 'Europe/Berlin', '+00:00') AS at");
      if (known?.at) return expect(await created()).toEqual(["2026-03-01T09:00:00.000000Z"]);
      const { read } = box.outbox;
      for (const ask of [() => list("all"), () => read.figures(), () => read.message("1")])
        await expect(ask()).rejects.toMatchObject({
          code: "invalid_input",
          message: expect.stringContaining("mysql_tzinfo_to_sql"),
        });
    });

    test("milliseconds since 1970", async () => {
      await openTimes("bigint", ["1772359200123", "-1"]);
      expect(await created()).toEqual(["2026-03-01T10:00:00.123000Z", "1969-12-31T23:59:59.999000Z"]);
      expect(await between("2026-03-01T10:00:00.123Z", "2026-03-01T10:00:00.124Z")).toEqual(["1"]);
    });

    test.each(["bigint", "bigint unsigned"])("a %s beyond the year 9999 is no time, and no error", async (type) => {
      await openTimes(type, ["1772359200123", "9223372036854775807"]);
      expect(await created()).toEqual(["2026-03-01T10:00:00.123000Z", null]);
    });

    test("a bigint before the year 1 is no time, and no error", async () => {
      await openTimes("bigint", ["1772359200123", "-9223372036854775808"]);
      expect(await created()).toEqual(["2026-03-01T10:00:00.123000Z", null]);
    });

    test("fourteen digits, and texts that are no time", async () => {
      await openTimes("varchar(14)", ["20260301100000", "", "never", "2026030110"]);
      expect(await created()).toEqual(["2026-03-01T10:00:00.000000Z", null, null, null]);
      expect(await between("2026-03-01T10:00:00Z", "2026-03-01T10:00:01Z")).toEqual(["1"]);
    });

    test("a zero date is no time", async () => {
      await query("SET SESSION sql_mode = ''");
      await openTimes("datetime", ["0000-00-00 00:00:00", "2026-03-01 10:00:00"]);
      expect(await created()).toEqual([null, "2026-03-01T10:00:00.000000Z"]);
      expect((await box.outbox.read.figures()).waiting.oldest?.id).toBe("2");
    });
  });
});
