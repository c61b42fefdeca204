import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { borrowMysqlDatabase, type MysqlTestDatabase } from "#tests/mysql.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { encodeMessageId } from "../../port/message-id.ts";
import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import { column, mapBox, READ_ALL } from "../relay/box.fixture.ts";
import { createRelayTable } from "../relay/mysql-relay-table.ts";
import { createLogReader, type LogEars, type LogRelay, listenTo, openLogRelay } from "./log-box.fixture.ts";

/** Columns of every kind, with a value as SQL; each is a further field of the message. */
const VALUES: Record<string, [type: string, value: string]> = {
  big: ["bigint unsigned", "18446744073709551615"],
  small: ["bigint", "-9223372036854775808"],
  tiny: ["tinyint(1)", "1"],
  medium: ["mediumint unsigned", "16777215"],
  exact: ["decimal(30,10)", "-12345678901234567890.0123456789"],
  whole: ["decimal(20,0)", "0"],
  double_value: ["double", "1.5e-7"],
  double_large: ["double", "-1.7976931348623157e308"],
  double_plain: ["double", "123456789012345"],
  double_tiny: ["double", "1.25e-20"],
  float_value: ["float", "0.1"],
  float_large: ["float", "1.5e20"],
  at_micros: ["datetime(6)", "'2026-01-02 03:04:05.123456'"],
  at_millis: ["datetime(3)", "'2026-01-02 03:04:05.100'"],
  at_seconds: ["datetime", "'1999-12-31 23:59:59'"],
  stamp: ["timestamp(6) NULL", "'2026-07-02 03:04:05.000001'"],
  day: ["date", "'0001-02-03'"],
  duration: ["time(6)", "'-838:59:58.000001'"],
  year_value: ["year", "2026"],
  western: ["varchar(50) CHARACTER SET latin1", "'naïve café €'"],
  wide: ["varchar(50) CHARACTER SET utf16", "'日本 😀'"],
  fixed: ["char(10)", "'ab  '"],
  word: ["enum('small','größe')", "'größe'"],
  words: ["set('x','y','z')", "'x,z'"],
  nothing: ["varchar(10)", "NULL"],
  blank: ["longtext", "''"],
  quotes: ["text", String.raw`'it''s "a" \\ line\nbreak'`],
};

const DOCUMENT = String.raw`'{"b": 9007199254740993, "a": 1.10, "u": 18446744073709551615, "s": "é\\n\\u0001", "n": null, "l": [1, -2.25, true, {}, []], "big": 123456789012345678}'`;

describe.each(["mysql", "mariadb"] as const)("values of the binary log of %s", (flavor) => {
  let database: MysqlTestDatabase;
  let relay: LogRelay | null;
  let ears: LogEars | null;
  beforeEach(async () => {
    database = await borrowMysqlDatabase(flavor);
    [relay, ears] = [null, null];
  });
  afterEach(async () => {
    await ears?.open.close();
    await relay?.table.close();
    await database.drop();
  });

  /** The message as the log has it, and as a relay that polls the table reads it. */
  const bothWays = async (mapping: OutboxMapping, insert: string, fields: Record<string, string> = {}) => {
    await createLogReader(database);
    await database.query(insert);
    relay = await openLogRelay(database, mapping, { mark: "none", fields });
    ears = await listenTo(relay.stream);
    const [notice] = await ears.heard(1);
    const { url, own } = database;
    const polling = createRelayTable({
      ...{
        outbox: "polled",
        ordering: "aggregate",
        maxAttempts: 3,
        relayId: "r",
        sinkName: "s",
        mapping,
        url,
        own,
        fields,
      },
    });
    try {
      const lease = await polling.acquireLease({ owner: "me", leaseMs: 60_000 });
      const { claim } = await polling.claimNew({ ...READ_ALL, lease: lease! });
      // A log row has another order and no version: it is never marked in the table.
      const plain = (message: OutgoingMessage | null | undefined) => ({ ...message, order: null, version: null });
      return { logged: plain(notice?.message), read: plain(claim?.messages[0]) };
    } finally {
      await polling.close();
    }
  };

  test("are those that the table's reader has, for every type of a field", async () => {
    const columns = Object.entries(VALUES).map(([name, [type]]) => `${name} ${type}`);
    await database.query(
      `CREATE TABLE box (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, aggregate_id varchar(100), payload json,
        created_at datetime(6), published_at datetime(6), ${columns.join(", ")}) CHARACTER SET utf8mb4`,
    );
    const names = ["aggregate_id", "payload", "created_at", ...Object.keys(VALUES)];
    const values = ["'a'", DOCUMENT, "'2026-03-01 10:00:00.5'", ...Object.values(VALUES).map(([, value]) => value)];
    const mapping = mapBox(database.name, { payload: column("payload", "json") });
    const fields = Object.fromEntries(Object.keys(VALUES).map((name) => [name, name]));
    const { logged, read } = await bothWays(
      mapping,
      `INSERT INTO box (${names.join(", ")}) VALUES (${values.join(", ")})`,
      fields,
    );
    expect(logged).toEqual(read);
    expect(logged.payload).toContain("9007199254740993");
    expect(logged.fields).toMatchObject({ big: "18446744073709551615", western: "naïve café €" });
  });

  const TIMES: [string, Partial<MappedColumn>, string][] = [
    ["datetime(6)", { time: { kind: "timestamp", zone: "UTC" } }, "'2026-01-02 03:04:05.120000'"],
    ["datetime(3)", { time: { kind: "timestamp", zone: "+05:30" } }, "'2026-01-02 03:04:05.120'"],
    ["timestamp(6) NULL", { time: { kind: "timestamptz" } }, "'2026-07-02 03:04:05.000001'"],
    ["bigint", { time: { kind: "epoch", unit: "ms" } }, "1767322245123"],
    ["varchar(14)", { time: { kind: "compact-text", zone: "UTC" } }, "'20260102030405'"],
  ];
  test.each(TIMES)("tell the time of creation as the table's reader does: %s", async (type, how, value) => {
    await database.query(
      `CREATE TABLE box (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, aggregate_id varchar(100), payload longtext,
        created_at ${type}, published_at datetime(6)) CHARACTER SET utf8mb4`,
    );
    const mapping = mapBox(database.name, {
      createdAt: { ...column("created_at", type.replace(" NULL", "")), ...how },
    });
    const { logged, read } = await bothWays(
      mapping,
      `INSERT INTO box (aggregate_id, payload, created_at) VALUES ('a', 'x', ${value})`,
    );
    const instant = (text: string | null | undefined) => Date.parse(text ?? "");
    expect(instant(logged.createdAt)).toBe(instant(read.createdAt));
    expect({ ...logged, createdAt: null }).toEqual({ ...read, createdAt: null });
  });

  const KEYS: [string, string, string][] = [
    ["binary(16)", "X'00112233445566778899AABBCCDDEE00'", "00112233-4455-6677-8899-aabbccddee00"],
    ["varbinary(20)", "X'00FF10'", "00ff10"],
    ["bigint unsigned", "18446744073709551615", "18446744073709551615"],
    ["datetime(3)", "'2026-01-02 03:04:05.1'", encodeMessageId(["2026-01-02T03:04:05.100000"])],
    ["char(36)", "'0e5b2a8e-aaaa-0000-0000-000000000001'", "0e5b2a8e-aaaa-0000-0000-000000000001"],
    ["bit(12)", "b'100000000001'", "2049"],
    ["decimal(20,4)", "1.5", encodeMessageId(["1.5000"])],
  ];
  test.each(KEYS)("give a key of %s the id by which the table finds it", async (type, value, id) => {
    await database.query(
      `CREATE TABLE box (id ${type} NOT NULL PRIMARY KEY, aggregate_id ${type}, payload longblob, created_at datetime(6),
        published_at datetime(6)) CHARACTER SET utf8mb4`,
    );
    const mapping = {
      ...mapBox(database.name, {
        id: column("id", type),
        order: column("id", type),
        aggregateId: column("aggregate_id", type),
        payload: column("payload", "longblob"),
      }),
      primaryKey: [column("id", type)],
    };
    const insert = `INSERT INTO box (id, aggregate_id, payload) VALUES (${value}, ${value}, X'00FF80C3A9')`;
    const { logged, read } = await bothWays(mapping, insert);
    expect(logged).toEqual(read);
    expect([logged.id, logged.payload, logged.payloadKind]).toEqual([id, "AP+Aw6k=", "binary"]);
  });
});
