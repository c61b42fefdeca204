import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import type { CatalogTable } from "../../stores/port/catalog.ts";
import { decodeMessageId } from "../../stores/port/message-id.ts";
import { openPostgresStore } from "../../stores/postgres/open-postgres-store.ts";
import { findLibrary } from "../find-library.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import { recogniseOutbox } from "../recognise.ts";

const GRUELBOX =
  "id varchar(36) PRIMARY KEY, invocation text, nextattempttime timestamp(6), attempts int, version int, uniquerequestid varchar(250) UNIQUE, lastattempttime timestamp(6), topic varchar(250) NOT NULL DEFAULT '*', seq bigint";
const TABLES = [
  "CREATE TABLE shop_outbox_messages (id bigserial PRIMARY KEY, consumed boolean NOT NULL DEFAULT false, payload text NOT NULL)",
  "INSERT INTO shop_outbox_messages (consumed, payload) VALUES (false, '{}'), (true, '{}')",
  "CREATE TABLE old_outbox_messages (id bigserial PRIMARY KEY, consumed varchar(5) NOT NULL DEFAULT 'no', payload text NOT NULL)",
  `CREATE TABLE txno_outbox (${GRUELBOX}, blocked smallint, processed smallint)`,
  "INSERT INTO txno_outbox (id, invocation, nextattempttime, attempts, blocked, processed) VALUES ('a', '{}', now(), 0, 0, 0), ('b', '{}', now(), 5, 1, 0), ('c', '{}', now(), 0, 0, 1)",
  'CREATE TABLE published ("Id" bigint PRIMARY KEY, "Name" text NOT NULL, "Content" text, "Retries" int NOT NULL, "Added" timestamp NOT NULL, "ExpiresAt" timestamp, "StatusName" text NOT NULL)',
  `INSERT INTO published VALUES (1, 'n', '{}', 0, now(), NULL, 'Scheduled'), (2, 'n', '{}', 0, now(), now(), 'Succeeded')`,
];

TABLES.push(
  "CREATE TABLE cds_outbox_messages (id varchar(36) PRIMARY KEY, timestamp timestamp, target varchar(255), msg text, attempts integer DEFAULT 0, partition integer DEFAULT 0, lasterror text, lastattempttimestamp timestamp, status char(1), task varchar(255), appid varchar(255))",
);

/** The columns of a library's outbox, with a time of processing of another form than the library's. */
const OTHER_TIMES = [
  {
    form: "with a placeholder",
    type: "timestamptz NOT NULL DEFAULT '0001-01-01'",
    open: "'0001-01-01'",
    done: "now()",
  },
  { form: "without a null", type: "timestamptz NOT NULL", open: "'0001-01-01'", done: "now()" },
  { form: "with a placeholder in its rows", type: "timestamptz", open: "'0001-01-01'", done: "now()" },
  { form: "of seconds", type: "bigint NOT NULL DEFAULT 0", open: "0", done: "1764000000" },
  { form: "with a fraction", type: "double precision", open: "NULL", done: "1764000000.5" },
  { form: "as a text", type: "text", open: "NULL", done: "'2026-01-01T10:00:00Z'" },
].map((one, n) => ({ ...one, name: `team${n}_outbox_messages` }));
for (const { name, type, open, done } of OTHER_TIMES)
  TABLES.push(
    `CREATE TABLE ${name} (id text PRIMARY KEY, occurred_on timestamptz NOT NULL DEFAULT now(), type text NOT NULL, data text NOT NULL, processed_date ${type})`,
    `INSERT INTO ${name} (id, type, data, processed_date) VALUES ('a', 't', '{}', ${open}), ('b', 't', '{}', ${done})`,
  );

const database = testDatabase();
let tables: readonly CatalogTable[];
beforeAll(async () => {
  await database().pool.query(TABLES.join("; "));
  const store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
  tables = await readLooked(store);
  await store.close();
});

const tableOf = (name: string) => {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
};

async function statesOf(name: string): Promise<Record<string, string>> {
  const found = recogniseOutbox(tableOf(name), tables);
  if ("problem" in found) throw new Error(found.problem);
  const store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
  try {
    const ref = { name, mapping: found.mapping, storeSide: false, maxAttempts: null, estimatedRows: -1 };
    const { rows } = await store.outbox(ref).read.list({ filter: { state: "all" }, limit: 9 });
    return Object.fromEntries(rows.map(({ id, state }) => [decodeMessageId(id, 1)[0], state]));
  } finally {
    await store.close();
  }
}

describe("a library's flag of another type than its own", () => {
  test("a boolean in place of a number is read", async () => {
    expect(await statesOf("shop_outbox_messages")).toEqual({ 1: "pending", 2: "published" });
    const found = recogniseOutbox(tableOf("shop_outbox_messages"), tables);
    expect(found).toMatchObject({ mapping: { lifecycle: { verbs: { retry: { set: [{ to: "false" }] } } } } });
  });

  test("a number in place of a boolean is read, and written as one", async () => {
    expect(await statesOf("txno_outbox")).toEqual({ a: "pending", b: "dead", c: "published" });
    const found = recogniseOutbox(tableOf("txno_outbox"), tables);
    const set =
      "problem" in found || found.mapping.lifecycle.kind !== "rules" ? [] : found.mapping.lifecycle.verbs.retry;
    expect(JSON.stringify(set)).not.toMatch(/"to":"(true|false)"/);
  });

  test("a text is not the library's", () => {
    expect(findLibrary(tableOf("old_outbox_messages"))).toBeNull();
  });
});

test("a letter where the library writes words is not the library's", () => {
  expect(findLibrary(tableOf("cds_outbox_messages"))).toBeNull();
});

describe("a library's time of another form than its own", () => {
  test.each(OTHER_TIMES)("$form is not read by its rules", async ({ name }) => {
    expect(findLibrary(tableOf(name))).toBeNull();
    const { a, b } = await statesOf(name);
    expect(["pending", "unknown"]).toContain(a);
    expect(["published", "unknown"]).toContain(b);
  });
});

test("CAP's first versions lack a column of the later ones", async () => {
  expect(await statesOf("published")).toEqual({ 1: "pending", 2: "published" });
});
