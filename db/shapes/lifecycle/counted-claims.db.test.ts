import { describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { FACT_LIMITS } from "../../stores/conformance/fact-limits.fixture.ts";
import { openMysqlStore } from "../../stores/mysql/open-mysql-store.ts";
import type { Store } from "../../stores/port/store.ts";
import { openPostgresStore } from "../../stores/postgres/open-postgres-store.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import { recogniseOutbox } from "../recognise.ts";

interface Case {
  what: string;
  /** Columns beside those that every table has. */
  columns: string;
  /** Values of the mark, the count, the due time and the error, by row. */
  rows: readonly string[];
  states: string;
}

/** `soon` and `ago` are times of the database. */
const CASES: readonly Case[] = [
  {
    what: "an attempt that is counted when it begins",
    columns:
      "published_at TIMES NULL, attempts int NOT NULL DEFAULT 0, next_attempt_at TIMES NOT NULL DEFAULT NOW, last_error varchar(90)",
    rows: [
      "NULL,0,ago,NULL",
      "NULL,1,soon,NULL",
      "NULL,1,ago,''",
      "NULL,1,soon,'boom'",
      "NULL,2,soon,NULL",
      "ago,1,ago,NULL",
    ],
    states: "pending pending pending failed failed published",
  },
  {
    what: "the same beside a status",
    columns:
      "status varchar(20) NOT NULL DEFAULT 'NEW', attempts int NOT NULL DEFAULT 0, next_attempt_at TIMES NULL, last_error varchar(90)",
    rows: ["'NEW',0,NULL,NULL", "'NEW',1,soon,NULL", "'NEW',1,soon,'boom'", "'NEW',2,soon,NULL", "'SENT',1,soon,NULL"],
    states: "pending pending failed failed published",
  },
  {
    what: "the same beside another mark",
    columns:
      "published_at TIMES NULL, attempts int NOT NULL DEFAULT 0, next_attempt_at TIMES NOT NULL DEFAULT NOW, last_error varchar(90), cancelled_at TIMES NULL",
    rows: ["NULL,0,ago,NULL", "NULL,1,soon,NULL", "NULL,1,soon,'boom'", "NULL,3,ago,NULL"],
    states: "pending pending failed failed",
  },
  {
    what: "a count of retries, which are made after a failure",
    columns:
      "published_at TIMES NULL, retry_count int NOT NULL DEFAULT 0, next_retry_at TIMES NOT NULL DEFAULT NOW, last_error varchar(90)",
    rows: ["NULL,0,ago,NULL", "NULL,1,soon,NULL"],
    states: "pending failed",
  },
  {
    what: "a queue that hides what was received",
    columns:
      "published_at TIMES NULL, receive_count int NOT NULL DEFAULT 0, visible_at TIMES NOT NULL DEFAULT NOW, last_error varchar(90)",
    rows: ["NULL,0,soon,NULL", "NULL,1,soon,NULL", "NULL,2,soon,NULL", "NULL,2,ago,NULL", "NULL,1,soon,'boom'"],
    states: "pending in_flight in_flight failed failed",
  },
];

function scriptOf({ columns, rows }: Case, words: Record<"KEY" | "TIMES" | "NOW" | "soon" | "ago", string>) {
  const inWords = (text: string) =>
    text.replace(/KEY|TIMES|NOW|soon|ago/g, (word) => words[word as keyof typeof words]);
  const names = columns.split(", ").map((column) => column.split(" ")[0]);
  const values = rows.map(
    (row) => `('order.paid', '{}', ${inWords(row)}${", NULL".repeat(names.length - row.split(",").length)})`,
  );
  return [
    inWords(
      `CREATE TABLE outbox_messages (id KEY, event_type varchar(80) NOT NULL, payload text NOT NULL, created_at TIMES NOT NULL DEFAULT NOW, ${columns})`,
    ),
    `INSERT INTO outbox_messages (event_type, payload, ${names.join(", ")}) VALUES ${values.join(", ")}`,
  ];
}

async function expectStates(store: Store, { states }: Case): Promise<void> {
  const tables = await readLooked(store);
  const [table] = tables;
  if (!table) throw new Error("no table");
  const found = recogniseOutbox(table, tables);
  if ("problem" in found) throw new Error(found.problem);
  const ref = { name: "orders", mapping: found.mapping, storeSide: false, maxAttempts: null, estimatedRows: 6 };
  const outbox = store.outbox(ref);
  const shown = async (state: "all" | "failed") =>
    (await outbox.read.list({ filter: { state }, limit: 10 })).rows
      .toSorted((one, other) => Number(one.id) - Number(other.id))
      .map(({ id, state: its }) => `${id} ${its}`);
  const truth = states.split(" ").map((state, n) => `${n + 1} ${state}`);
  expect(await shown("all")).toEqual(truth);
  expect(await shown("failed")).toEqual(truth.filter((one) => one.endsWith("failed")));
  expect((await outbox.watch.facts(FACT_LIMITS)).facts.expiredClaims?.claims ?? 0).toBe(0);
}

describe("in Postgres", () => {
  const database = testDatabase("empty");
  test.each(CASES)("$what", async (one) => {
    const [soon, ago] = ["now() + interval '1 hour'", "now() - interval '1 hour'"];
    const words = { KEY: "bigserial PRIMARY KEY", TIMES: "timestamptz", NOW: "now()", soon, ago };
    await database().pool.query(["DROP TABLE IF EXISTS outbox_messages", ...scriptOf(one, words)].join("; "));
    const store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
    await expectStates(store, one).finally(() => store.close());
  });
});

describe.each(["mysql", "mariadb"] as const)("in %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");
  test.each(CASES)("$what", async (one) => {
    const [soon, ago] = ["UTC_TIMESTAMP() + INTERVAL 1 HOUR", "UTC_TIMESTAMP() - INTERVAL 1 HOUR"];
    const words = { KEY: "bigint AUTO_INCREMENT PRIMARY KEY", TIMES: "datetime", NOW: "CURRENT_TIMESTAMP", soon, ago };
    const { query, url, own } = database();
    for (const statement of ["DROP TABLE IF EXISTS outbox_messages", ...scriptOf(one, words)]) await query(statement);
    const store = openMysqlStore({ name: "shop", url, applicationName: "test", own });
    await expectStates(store, one).finally(() => store.close());
  });
});
