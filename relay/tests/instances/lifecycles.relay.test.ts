import { afterEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import type { RelayYaml } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

interface Case {
  name: string;
  ddl: string;
  /** Two messages of aggregate `a` in order, the second of which is rejected, and one of aggregate `b`. */
  insert: string;
  yaml: Partial<RelayYaml>;
  unsent: string;
  /** The rejected message's state in the table or on the store side. */
  dead: [sql: string, expected: unknown];
}

const CASES: Case[] = [
  {
    name: "timestamp, moved when dead",
    ddl: "CREATE TABLE box (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, aggregate_id text, event_type text, payload jsonb, created_at timestamptz DEFAULT now(), published_at timestamptz)",
    insert: `INSERT INTO box (aggregate_id, event_type, payload) VALUES ('a', 't', '{"n":1}'), ('a', 't', '{"n":"bad"}'), ('b', 't', '{"n":3}')`,
    yaml: { table: "public.box", outbox: ["columns: { publishedAt: published_at }"] },
    unsent: "SELECT count(*)::int FROM box WHERE published_at IS NULL",
    dead: ["SELECT image->>'payload' FROM outbox_console.dead_letter", '{"n": "bad"}'],
  },
  {
    name: "flag, recorded beside the row when a trigger forbids to move it",
    ddl: `CREATE TABLE box (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text, event_type text, payload text, created_at timestamp DEFAULT (now() AT TIME ZONE 'UTC'), processed boolean NOT NULL DEFAULT false, sequence bigserial);
      CREATE FUNCTION no_op() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'; CREATE TRIGGER t BEFORE DELETE ON box FOR EACH ROW EXECUTE FUNCTION no_op()`,
    insert: `INSERT INTO box (aggregate_id, event_type, payload) VALUES ('a', 't', 'one'), ('a', 't', 'bad'), ('b', 't', 'three')`,
    yaml: { table: "public.box", outbox: ["columns: { order: sequence, publishedAt: processed }"] },
    unsent: "SELECT count(*)::int FROM box WHERE NOT processed AND payload <> 'bad'",
    dead: ["SELECT dead_by FROM outbox_console.delivery WHERE dead_at IS NOT NULL", "relay"],
  },
  {
    name: "status with words and attempts of its own",
    ddl: `CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload json, status varchar(12) NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED','DEAD')),
      attempts int NOT NULL DEFAULT 0, last_error varchar(12), created_at timestamptz DEFAULT now(), published_at timestamptz)`,
    insert: `INSERT INTO box (aggregate_id, event_type, payload) VALUES ('a', 't', '1'), ('a', 't', '"bad"'), ('b', 't', '3')`,
    yaml: {
      table: "public.box",
      outbox: ["lifecycle: { kind: status, pending: [PENDING], published: [SENT], failed: [FAILED], dead: [DEAD] }"],
    },
    unsent:
      "SELECT count(*)::int FROM box WHERE status IN ('PENDING', 'FAILED') OR status = 'SENT' AND published_at IS NULL",
    dead: [
      "SELECT status || ' ' || attempts || ' ' || last_error FROM box WHERE payload::text = '\"bad\"'",
      "DEAD 1 HTTP 400: no",
    ],
  },
  {
    name: "delete",
    ddl: "CREATE TABLE box (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregatetype text, aggregateid text, type text, payload bytea, created_at timestamptz DEFAULT clock_timestamp())",
    insert: `INSERT INTO box (aggregatetype, aggregateid, type, payload) VALUES ('o', 'a', 't', 'one'), ('o', 'a', 't', 'bad'), ('o', 'b', 't', 'three')`,
    yaml: { table: "public.box", outbox: ["lifecycle: { kind: delete }"] },
    unsent: "SELECT count(*)::int FROM box",
    dead: ["SELECT aggregate_id FROM outbox_console.dead_letter", "a"],
  },
  {
    name: "a partitioned table with a key of two columns and times as text",
    ddl: `CREATE TABLE box (id varchar(36) NOT NULL, tenant int NOT NULL, aggregate_id text, event_type text, payload text, created_at varchar(14) NOT NULL, published_at varchar(14), PRIMARY KEY (id, tenant)) PARTITION BY LIST (tenant);
      CREATE TABLE box_1 PARTITION OF box FOR VALUES IN (1); CREATE TABLE box_2 PARTITION OF box FOR VALUES IN (2)`,
    insert: `INSERT INTO box (id, tenant, aggregate_id, event_type, payload, created_at) VALUES ('k/1', 1, 'a', 't', '1', '20260101100000'), ('k/2', 1, 'a', 't', 'bad', '20260101100001'), ('k/1', 2, 'b', 't', '3', '20260101100002')`,
    yaml: { table: "public.box", outbox: ["columns: { publishedAt: published_at }"] },
    unsent: "SELECT count(*)::int FROM box WHERE published_at IS NULL OR length(published_at) <> 14",
    dead: ["SELECT image->>'id' FROM outbox_console.dead_letter", "k/2"],
  },
];

describe("every way in which a table marks published messages", () => {
  let harness: RelayHarness | undefined;
  afterEach(() => harness?.close());

  test.each(CASES)("$name", async ({ ddl, insert, yaml, unsent, dead }) => {
    harness = await openHarness(ddl);
    const { receiver, scalar, pool } = harness;
    receiver.answerWith((request) =>
      request.body.toString("utf8").includes("bad") ? { status: 400, body: "no" } : { status: 204 },
    );
    await pool.query(insert);
    await harness.start(yaml);
    await waitFor(async () => (await scalar(unsent)) === 0, { message: "all are settled" });
    expect(receiver.requests).toHaveLength(3);
    const [sql, expected] = dead;
    await waitFor(async () => (await scalar(sql)) !== undefined, { message: "the refused one is dead" });
    expect(await scalar(sql)).toBe(expected);
    expect(await scalar("SELECT count(*)::int FROM outbox_console.attempt WHERE outcome = 'dead'")).toBe(1);
    expect(await scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
    const ofA = receiver.requests.filter((request) => request.headers["aggregate-id"] === "a");
    expect(ofA[1]?.body.toString("utf8")).toContain("bad");
  });

  test("native attempts, errors and times of the next attempt are written in the table's own form", async () => {
    harness = await openHarness(
      "CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload text, created_at timestamptz DEFAULT now(), sent_at timestamptz, attempts int NOT NULL DEFAULT 0, last_error text, next_attempt_at timestamptz)",
    );
    const { receiver, scalar, pool } = harness;
    receiver.answerNext({ status: 500, body: "once" });
    await pool.query("INSERT INTO box (aggregate_id, event_type, payload) VALUES ('a', 't', 'x')");
    await harness.start({ table: "public.box", outbox: ["columns: { publishedAt: sent_at }"] });
    await waitFor(async () => (await scalar("SELECT sent_at IS NOT NULL FROM box")) === true, {
      message: "it is published after a retry",
    });
    expect(await scalar("SELECT attempts || ' ' || last_error FROM box")).toBe("1 HTTP 500: once");
    expect(await scalar("SELECT next_attempt_at IS NOT NULL FROM box")).toBe(true);
  });

  test("a scheduled message is not sent early", async () => {
    harness = await openHarness(
      "CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload text, created_at timestamptz DEFAULT now(), published_at timestamptz, available_at timestamptz)",
    );
    const { receiver, scalar, pool } = harness;
    await harness.start({ table: "public.box", outbox: ["columns: { publishedAt: published_at }"] });
    await pool.query(
      "INSERT INTO box (aggregate_id, event_type, payload, available_at) VALUES ('a', 't', 'later', now() + interval '1500 ms'), ('b', 't', 'now', NULL)",
    );
    await waitFor(async () => (await scalar("SELECT count(*)::int FROM box WHERE published_at IS NULL")) === 0, {
      message: "both are published",
    });
    expect(receiver.requests.map((request) => request.body.toString("utf8"))).toEqual(["now", "later"]);
    expect(await scalar("SELECT bool_and(published_at >= coalesce(available_at, published_at)) FROM box")).toBe(true);
  });

  test("a row is not sent before a time that the database computes, nor after its own limit of attempts", async () => {
    harness = await openHarness(
      `CREATE TABLE box (id bigserial PRIMARY KEY, event_type text, payload text, created_at timestamp DEFAULT timezone('UTC', now()), published_at timestamptz, attempts int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 3,
        delay_seconds int NOT NULL DEFAULT 0, available_at timestamp GENERATED ALWAYS AS (created_at + delay_seconds * interval '1 second') STORED)`,
    );
    const { receiver, scalar, pool } = harness;
    receiver.answerWith(({ body }) => ({ status: body.toString("utf8") === "third" ? 500 : 204 }));
    await pool.query(
      "INSERT INTO box (event_type, payload, attempts, delay_seconds) VALUES ('t', 'third', 2, 0), ('t', 'spent', 3, 0), ('t', 'later', 0, 3600), ('t', 'now', 0, 0)",
    );
    await harness.start({ table: "public.box", outbox: ["columns: { publishedAt: published_at }"] });
    await waitFor(
      async () => (await scalar("SELECT count(*)::int FROM box WHERE attempts >= 3 OR published_at IS NOT NULL")) === 3,
      { message: "what is due is settled" },
    );
    await harness.stop();
    expect(receiver.requests.map(({ body }) => body.toString("utf8")).toSorted()).toEqual(["now", "third"]);
    expect(await scalar("SELECT string_agg(payload, ' ') FROM box WHERE published_at IS NOT NULL")).toBe("now");
  });
});
