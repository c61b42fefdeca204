import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { DEAD, failed, openRelayHand } from "../../conformance/open-outbox.fixture.ts";
import { type ForeignBox, openForeignBox, publishedAt } from "./foreign-box.fixture.ts";

const AN_HOUR_MS = 3_600_000;

const TEXTS = [
  "plain-1",
  "Zoë",
  "漢字 😀",
  "a/b?c=%_",
  "o'b\\c\"d",
  "~tilde",
  "with space",
  "at the end ",
  "new\nline",
  "tab\t",
  "ſ",
  "x".repeat(60),
];
const UUIDS = ["00112233-4455-6677-8899-aabbccddeeff", "ffffffff-ffff-4fff-bfff-ffffffffffff"];

/** Key columns, and their values as the console shows them. `sql` is a value's expression for an INSERT. */
const KEYS: { name: string; key: string; ids: string[][]; sql?: (text: string, index: number) => string }[] = [
  {
    name: "text that folds case",
    key: "id varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
    ids: TEXTS.map((id) => [id]),
  },
  {
    name: "text that ignores accents",
    key: "id varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
    ids: TEXTS.map((id) => [id]),
  },
  {
    name: "text in utf8mb4_bin",
    key: "id varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    ids: TEXTS.map((id) => [id]),
  },
  {
    name: "text in utf8mb3",
    key: "id varchar(100) CHARACTER SET utf8",
    ids: TEXTS.filter((id) => !id.includes("😀")).map((id) => [id]),
  },
  { name: "text in latin1", key: "id varchar(100) CHARACTER SET latin1", ids: [["plain"], ["Zo"], ["a b"]] },
  { name: "a char", key: "id char(36) CHARACTER SET ascii", ids: UUIDS.map((id) => [id]) },
  {
    name: "a binary uuid",
    key: "id binary(16)",
    ids: UUIDS.map((id) => [id]),
    sql: (id) => `UNHEX('${id.replaceAll("-", "")}')`,
  },
  { name: "bytes", key: "id varbinary(40)", ids: [["00ff10"], ["61"], ["0a0d00"]], sql: (id) => `UNHEX('${id}')` },
  {
    name: "a number above 2^53",
    key: "id bigint unsigned",
    ids: [["0"], ["9007199254740993"], ["18446744073709551615"]],
  },
  { name: "a negative number", key: "id int", ids: [["-5"], ["7"]] },
  { name: "a decimal", key: "id decimal(20,3)", ids: [["1.500"], ["12345678901234567.125"]] },
  { name: "a time", key: "id datetime(6)", ids: [["2026-03-01T10:00:00.000001"], ["2026-03-01T10:00:00.000000"]] },
  {
    name: "an instant",
    key: "id timestamp(3)",
    ids: [["2026-03-01T10:00:00.001000Z"], ["2026-03-01T10:00:00.000000Z"]],
    sql: (id) => `'${id.replace("T", " ").replace("Z", "")}'`,
  },
  { name: "an enum", key: "id enum('b','a','A b')", ids: [["b"], ["a"], ["A b"]] },
  {
    name: "two columns",
    key: "tenant varchar(40) COLLATE utf8mb4_general_ci, id bigint",
    ids: [
      ["Zoë", "1"],
      ["Zoë", "2"],
      ["o'\\", "1"],
    ],
  },
];

const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

describe.each(flavorsFor("mariadb"))("%s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let box: ForeignBox;
  beforeEach(async () => {
    await database().query("DROP TABLE IF EXISTS ids");
  });
  afterEach(() => box?.store.close());

  describe.each(KEYS)("a key of $name", ({ key, ids, sql = quote }) => {
    const encoded = ids.map((id) => encodeMessageId(id)).sort();

    beforeEach(async () => {
      const names = key.split(/, /).map((part) => part.split(" ")[0]);
      await database().query(
        `CREATE TABLE ids (${key
          .split(/, (?=\w+ )/)
          .map((part) => `${part} NOT NULL`)
          .join(", ")}, seq bigint AUTO_INCREMENT UNIQUE, kind varchar(40),
           payload longtext, created_at datetime(6) DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6), aggregate varchar(40), PRIMARY KEY (${names.join(", ")}))`,
      );
      for (const id of ids)
        await database().query(
          `INSERT INTO ids (${names.join(", ")}, kind, payload, aggregate) VALUES (${id.map(sql).join(", ")}, 'k', '{}', UUID())`,
        );
      box = await openForeignBox(database(), {
        table: "ids",
        roles: {
          id: "id",
          payload: "payload",
          eventType: "kind",
          createdAt: "created_at",
          order: "seq",
          aggregateId: "aggregate",
        },
        lifecycle: publishedAt,
      });
    });

    const listed = async (state: "pending" | "in_flight" | "failed" | "dead" | "published") => {
      const { rows } = await box.outbox.read.list({ filter: { state }, limit: 100 });
      return rows.map((row) => row.id).sort();
    };

    test("reads the same in lists, details, searches, pages and the relay's records", async () => {
      expect(await listed("pending")).toEqual(encoded);
      for (const id of encoded) {
        expect((await box.outbox.read.message(id))?.row).toMatchObject({ id, state: "pending" });
        const { rows } = await box.outbox.read.list({ filter: { state: "all", q: id }, limit: 10 });
        expect(rows.map((row) => row.id)).toEqual([id]);
      }
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await box.outbox.read.list({ filter: { state: "all" }, limit: 1, ...(cursor ? { cursor } : {}) });
        paged.push(...page.rows.map((row) => row.id));
        cursor = page.nextCursor;
      } while (cursor);
      expect(paged.sort()).toEqual(encoded);
      expect([...(await box.outbox.act.inOrder(encoded))].sort()).toEqual(encoded);
    });

    test("is found by the records of a relay: in flight, failed, dead", async () => {
      const relay = openRelayHand(box.outbox);
      await relay.acquire();
      const claim = await relay.claim();
      expect(claim.messages.map((message) => message.id).sort()).toEqual(encoded);
      expect(await listed("in_flight")).toEqual(encoded);
      await relay.settle(claim, failed(AN_HOUR_MS));
      expect(await listed("failed")).toEqual(encoded);
      const { counts } = await box.outbox.read.figures();
      expect(counts.failed).toEqual({ value: ids.length, precision: "exact" });
      expect(counts.pending.value).toBe(0);
      await relay.table.close();
    });

    test("stays itself when the message is dead", async () => {
      const relay = openRelayHand(box.outbox);
      await relay.acquire();
      await relay.settle(await relay.claim(), DEAD);
      expect(await listed("dead")).toEqual(encoded);
      for (const id of encoded) {
        const message = await box.outbox.read.message(id);
        expect(message).toMatchObject({ row: { id, state: "dead" }, content: { payload: { text: "{}" } } });
      }
      await relay.table.close();
    });
  });

  test("ids and aggregates that a collation takes for the same are told apart", async () => {
    await database().query(
      `CREATE TABLE ids (id varchar(40) COLLATE utf8mb4_general_ci PRIMARY KEY, aggregate varchar(40) COLLATE utf8mb4_general_ci,
        kind varchar(40) COLLATE utf8mb4_general_ci, payload longtext, created_at datetime(6) DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6), KEY (aggregate))`,
    );
    await database().query(
      "INSERT INTO ids (id, aggregate, kind, payload) VALUES ('Abc', 'X', 'Placed', '1'), ('2', 'x', 'placed', '2'), ('3', 'x ', 'placed ', '3'), ('4', 'X́', 'plácéd', '4')",
    );
    box = await openForeignBox(database(), {
      table: "ids",
      roles: { id: "id", payload: "payload", aggregateId: "aggregate", eventType: "kind", createdAt: "created_at" },
      lifecycle: publishedAt,
    });
    const { read } = box.outbox;
    const idsOf = async (filter: { aggregateId?: string; eventType?: string; q?: string }) =>
      (await read.list({ filter: { state: "all", ...filter }, limit: 10 })).rows.map(({ id }) => id);
    expect(await read.message("ABC")).toBeNull();
    expect((await read.message("Abc"))?.neighbours.map(({ id }) => id)).toEqual(["Abc"]);
    expect(await idsOf({ aggregateId: "x" })).toEqual(["2"]);
    expect(await idsOf({ aggregateId: "x " })).toEqual(["3"]);
    expect(await idsOf({ eventType: "placed" })).toEqual(["2"]);
    expect(await idsOf({ q: "X" })).toEqual(["Abc"]);
    expect(await idsOf({ q: "abc" })).toEqual([]);
    expect(await read.has({ aggregateKey: "x" })).toBe(true);
    expect(await read.has({ aggregateKey: "Y" })).toBe(false);
    expect(await read.has({ eventType: "PLACED" })).toBe(false);
  });
});
