import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { readCatalog } from "../stores/postgres/catalog/read-catalog.ts";
import { candidates, leftAlone } from "./candidates.ts";
import { OTHER_TABLES } from "./hand-made/others/other-tables.ts";
import type { HandMadeTable } from "./hand-made/roles/hand-made-table.ts";
import { INVENTED_TABLES } from "./hand-made/roles/invented-tables.ts";
import { PRACTICE_TABLES } from "./hand-made/roles/practice-tables.ts";
import { scoreOf } from "./hand-made/roles/role-score.fixture.ts";
import { recogniseInbox } from "./inbox/recognise-inbox.ts";
import { looksLikeOutbox } from "./recognise.ts";

const database = testDatabase("empty");
const SCHEMAS = ["public", "graphile_worker", "pgboss", "pgmq", "hdb_catalog"];
const empty = () =>
  database().pool.query(
    `${SCHEMAS.map((schema) => `DROP SCHEMA IF EXISTS ${schema} CASCADE;`).join(" ")} CREATE SCHEMA public`,
  );

async function catalogOf(ddl: string) {
  await empty();
  await database().pool.query(ddl);
  return readCatalog(database().pool, undefined);
}

async function score(tables: readonly HandMadeTable[]) {
  const pairs = [];
  for (const truth of tables) {
    const [table] = await catalogOf(truth.ddl);
    if (!table) throw new Error("no table");
    pairs.push({ truth, table });
  }
  return scoreOf(pairs);
}

beforeEach(empty);

describe("hand-made tables", () => {
  test("of public projects: none of their columns is taken for another", async () => {
    const found = await score(PRACTICE_TABLES);
    expect(found.fields.wrong).toEqual([]);
    expect(found.roles, found.differences.join("\n")).toBeGreaterThanOrEqual(32);
    expect(found.fields.right, found.differences.join("\n")).toBeGreaterThanOrEqual(239);
  });

  test("in other languages, spellings and abbreviations", async () => {
    const found = await score(INVENTED_TABLES);
    expect(found.fields.wrong).toEqual([]);
    expect(found.differences).toEqual([]);
  });
});

describe("tables that are no outbox", () => {
  test.each(OTHER_TABLES)("$what", async ({ ddl, says, mayAsk }) => {
    const tables = await catalogOf(ddl);
    expect(tables.filter((table) => looksLikeOutbox(table) || recogniseInbox(table))).toEqual([]);
    if (says) expect(leftAlone(tables).map(({ reason }) => reason.split(":")[0])).toEqual([says]);
    if (!mayAsk) expect(candidates(tables)).toEqual([]);
  });

  test("say by which columns", async () => {
    const mails = OTHER_TABLES.find(({ what }) => what === "e-mails from templates");
    expect(leftAlone(await catalogOf(mails?.ddl ?? ""))).toMatchObject([
      { reason: expect.stringContaining("e-mails or letters to people by its columns recipient_email, template_name") },
    ]);
  });
});

describe("near misses", () => {
  test.each([
    [
      "whose payload is elsewhere",
      "CREATE TABLE outbox (id text PRIMARY KEY, event_id text, status text, attempts int, created_at timestamptz)",
      "which column is the payload",
    ],
    [
      "whose only document has a name of its own",
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, run_id uuid NOT NULL, effect jsonb NOT NULL, status text NOT NULL DEFAULT 'pending', attempts int NOT NULL DEFAULT 0, sent_at timestamptz, created_at timestamptz)",
      "which table has it? effect (jsonb) may be it.",
    ],
    [
      "that nothing marks as published",
      "CREATE TABLE outbox (id uuid PRIMARY KEY, payload jsonb, created_at timestamptz)",
      "which column marks a message as published",
    ],
    [
      "that have another name",
      "CREATE TABLE message_log (id uuid PRIMARY KEY, topic text, body jsonb, created_at timestamptz, sent_at timestamptz); CREATE INDEX ON message_log (id) WHERE sent_at IS NULL",
      "does a relay publish its rows",
    ],
    [
      "without a state",
      "CREATE TABLE domain_events (id uuid PRIMARY KEY, stream_id uuid, event_type text, data jsonb, created_at timestamptz)",
      "store of events",
    ],
    [
      "that are a broker's, and whose rows are tried again",
      "CREATE TABLE mq_record (id bigserial PRIMARY KEY, msg_content text NOT NULL, try_count int NOT NULL DEFAULT 0, status smallint NOT NULL DEFAULT 0, next_retry_time timestamptz NOT NULL DEFAULT now(), create_time timestamptz NOT NULL DEFAULT now())",
      "does a relay publish its rows",
    ],
    [
      "that may be letters",
      "CREATE TABLE outbox (id uuid PRIMARY KEY, recipient text, body text, status text, created_at timestamptz)",
      "does a relay publish its rows",
    ],
  ])("%s are candidates with a question", async (_, ddl, question) => {
    const tables = await catalogOf(ddl);
    expect(tables.filter(looksLikeOutbox)).toEqual([]);
    const [candidate] = candidates(tables);
    expect(candidate?.question).toContain(question);
    expect(candidate?.evidence.length).toBeGreaterThan(2);
    expect(candidate?.columns.id).toBe("id");
  });

  test("an index over the unpublished rows is evidence, and names a column that no word gives away", async () => {
    const [table] = await catalogOf(
      "CREATE TABLE outbox (id uuid PRIMARY KEY, type text, payload jsonb, created_at timestamptz, zapped timestamptz); CREATE INDEX ON outbox (created_at) WHERE zapped IS NULL",
    );
    if (!table) throw new Error("no table");
    const { judgeTable } = await import("./judge-table.ts");
    const { roles, evidence } = judgeTable(table);
    expect(roles.publishedAt?.name).toBe("zapped");
    expect(evidence).toContain("An index covers only rows in which zapped is not set.");
  });
});
