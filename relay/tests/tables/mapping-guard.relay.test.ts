import { afterEach, describe, expect, test } from "vitest";
import { acceptMapping } from "#services/mapping/accept-mapping.ts";
import { ADMIN } from "#tests/factories/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents, OUTBOX_DDL, openRelayRuntime, type RelayYaml } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const HISTORY = 500;
const STATUS_DDL = OUTBOX_DDL.replace("published_at timestamptz", "status text NOT NULL DEFAULT 'NEW'").replace(
  "published_at IS NULL",
  "status = 'NEW'",
);
const STATUS_YAML = {
  outbox: ["columns: { status: status }", "lifecycle: { kind: status, pending: [NEW], published: [DONE] }"],
};
const FLAG_DDL = OUTBOX_DDL.replace(
  "published_at timestamptz",
  "published boolean DEFAULT false, checked boolean",
).replace("published_at IS NULL", "NOT published");
const FLAG_YAML = { outbox: ["columns: { publishedAt: published }"] };
const NEW_EVENT = `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', 'new', 'order.changed', '{"aggregate": "new", "n": 0}')`;

let harness: RelayHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** A relay that published 500 rows and was stopped. */
async function published(ddl = OUTBOX_DDL, yaml: Partial<RelayYaml> = {}): Promise<RelayHarness> {
  harness = await openHarness(ddl);
  const { pool, start, stop, scalar } = harness;
  await insertEvents(pool, { count: HISTORY, aggregates: 50 });
  await start(yaml);
  const unsent = ddl === STATUS_DDL ? "status = 'NEW'" : ddl === FLAG_DDL ? "NOT published" : "published_at IS NULL";
  await waitFor(async () => (await scalar(`SELECT count(*)::int FROM outbox_events WHERE ${unsent}`)) === 0, {
    message: "the history is published",
  });
  await stop();
  return harness;
}

interface Change {
  name: string;
  ddl?: string;
  yaml?: Partial<RelayYaml>;
  change: string;
  said: string;
  /** The table that has the rows afterwards. */
  table?: string;
}

const CHANGES: Change[] = [
  {
    name: "renamed to a name that is not known",
    change: "ALTER TABLE outbox_events RENAME published_at TO done_when",
    said: "published_at of public.outbox_events is gone; done_when (timestamptz) is new",
  },
  {
    name: "renamed to a name that is recognised",
    change: "ALTER TABLE outbox_events RENAME published_at TO delivered_at",
    said: "published_at of public.outbox_events is gone; delivered_at (timestamptz) is new",
  },
  {
    name: "dropped",
    change: "ALTER TABLE outbox_events DROP published_at",
    said: "published_at of public.outbox_events is gone",
  },
  {
    name: "dropped and added again",
    change: "ALTER TABLE outbox_events DROP published_at, ADD published_at timestamptz",
    said: "published_at of public.outbox_events is a different column of the same name",
  },
  {
    name: "swapped with another",
    change: `ALTER TABLE outbox_events ADD seen_at timestamptz; ALTER TABLE outbox_events RENAME published_at TO x;
      ALTER TABLE outbox_events RENAME seen_at TO published_at; ALTER TABLE outbox_events RENAME x TO seen_at`,
    said: "published_at of public.outbox_events is a different column of the same name",
  },
  {
    name: "retyped as text",
    change: "ALTER TABLE outbox_events ALTER published_at TYPE text",
    said: "published_at of public.outbox_events is text; it was timestamptz",
  },
  {
    name: "retyped as text, and named in the configuration",
    yaml: { outbox: ["columns: { publishedAt: published_at }", "lifecycle: { kind: timestamp }"] },
    change: "ALTER TABLE outbox_events ALTER published_at TYPE text",
    said: "published_at of public.outbox_events is text; it was timestamptz",
  },
  {
    name: "renamed, and named in the configuration",
    yaml: { outbox: ["columns: { publishedAt: published_at }", "lifecycle: { kind: timestamp }"] },
    change: "ALTER TABLE outbox_events RENAME published_at TO delivered_at",
    said: "published_at of public.outbox_events is gone; delivered_at (timestamptz) is new",
  },
  {
    name: "renamed, with the kind alone in the configuration",
    yaml: { outbox: ["lifecycle: { kind: timestamp }"] },
    change: "ALTER TABLE outbox_events RENAME published_at TO delivered_at",
    said: "published_at of public.outbox_events is gone; delivered_at (timestamptz) is new",
  },
  {
    name: "a status that is dropped",
    ddl: STATUS_DDL,
    yaml: STATUS_YAML,
    change: "ALTER TABLE outbox_events DROP status",
    said: "status of public.outbox_events is gone",
  },
  {
    name: "a flag that gives way to another column",
    ddl: FLAG_DDL,
    yaml: FLAG_YAML,
    change: "ALTER TABLE outbox_events DROP published; ALTER TABLE outbox_events RENAME checked TO published",
    said: "published of public.outbox_events is a different column of the same name",
  },
  {
    name: "a primary key that is dropped",
    change: "ALTER TABLE outbox_events DROP CONSTRAINT outbox_events_pkey",
    said: "the primary key of public.outbox_events is gone; it was (id)",
  },
  {
    name: "a table that is renamed",
    change: "ALTER TABLE outbox_events RENAME TO outbox_events_old",
    table: "outbox_events_old",
    said: "The table public.outbox_events of outbox orders is not in store shop",
  },
  {
    name: "a view in place of the table",
    change: "ALTER TABLE outbox_events RENAME TO all_events; CREATE VIEW outbox_events AS SELECT * FROM all_events",
    said: "The table public.outbox_events of outbox orders is not in store shop",
  },
  {
    name: "a table that is created again from a copy without what was published",
    change: `ALTER TABLE outbox_events RENAME TO old_events; CREATE TABLE outbox_events (LIKE old_events INCLUDING ALL);
      INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload) SELECT id, aggregate_type, aggregate_id, event_type, payload FROM old_events`,
    said: "public.outbox_events is a different table of the same name",
  },
];

describe("a relay that starts over a changed table", () => {
  test.each(CHANGES)("$name: it publishes and deletes nothing, and says what changed", async (one) => {
    const { pool, start, scalar, receiver, logged } = await published(one.ddl, one.yaml);
    const sent = receiver.requests.length;
    await pool.query(one.change);
    await pool.query(one.table ? NEW_EVENT.replace("outbox_events", one.table) : NEW_EVENT);
    await start(one.yaml);
    await waitFor(async () => logged().includes(one.said), { message: one.said });
    expect(receiver.requests.length).toBe(sent);
    expect(await scalar(`SELECT count(*)::int FROM ${one.table ?? "outbox_events"}`)).toBe(HISTORY + 1);
    expect(await scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
  });

  test("without any fingerprint, a column that only an index points to is a question", async () => {
    harness = await openHarness(
      OUTBOX_DDL.replace("published_at timestamptz", "gone_out timestamptz").replace("published_at", "gone_out"),
    );
    const { pool, start, scalar, receiver, logged } = harness;
    await insertEvents(pool, { count: 5 });
    await start({ outbox: ["lifecycle: { kind: timestamp }"] });
    const said = "is only likely: Does gone_out really mark a message as published?";
    await waitFor(async () => logged().includes(said), { message: said });
    expect(receiver.requests).toHaveLength(0);
    expect(await scalar("SELECT count(*)::int FROM outbox_events")).toBe(5);
  });

  test("once a person accepts the change, it publishes new rows only", async () => {
    const { pool, databaseUrl, start, scalar, receiver, logged } = await published();
    const sent = receiver.requests.length;
    await pool.query("ALTER TABLE outbox_events RENAME published_at TO delivered_at");
    await pool.query(NEW_EVENT);
    const outbox = { outbox: ["columns: { publishedAt: delivered_at }"] };
    await start(outbox);
    await waitFor(async () => logged().includes("is gone"), { message: "it says what changed" });
    const runtime = openRelayRuntime({ databaseUrl, sinkUrl: receiver.url, ...outbox });
    try {
      expect(await acceptMapping({ runtime, outbox: "orders", actor: ADMIN, reason: null })).toContain(
        "lifecycle timestamp by delivered_at",
      );
    } finally {
      await runtime.close();
    }
    await waitFor(
      async () => (await scalar("SELECT count(*)::int FROM outbox_events WHERE delivered_at IS NULL")) === 0,
      {
        timeoutMs: 30_000,
        message: "the new message is published",
      },
    );
    expect(receiver.requests.length).toBe(sent + 1);
    expect(await scalar("SELECT action || ': ' || detail FROM outbox_console.audit")).toBe(
      "mapping.accept: published_at of public.outbox_events is gone; delivered_at (timestamptz) is new",
    );
  });

  test("added columns are fine, even one with the name of a role", async () => {
    const { pool, start, scalar, receiver } = await published();
    await pool.query(
      "ALTER TABLE outbox_events ADD note text, ADD status text, ADD position int, ADD content jsonb, ADD available_at timestamptz DEFAULT 'infinity'",
    );
    await pool.query(NEW_EVENT);
    await start();
    await waitFor(
      async () => (await scalar("SELECT count(*)::int FROM outbox_events WHERE published_at IS NULL")) === 0,
      {
        message: "the new message is published",
      },
    );
    expect(receiver.requests).toHaveLength(HISTORY + 1);
  });
});
