import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import type { CatalogTable } from "../../stores/port/catalog.ts";
import { openPostgresStore } from "../../stores/postgres/open-postgres-store.ts";
import { leftAlone } from "../candidates.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import type { InboxAnswers } from "./read-states.ts";
import { recogniseInbox } from "./recognise-inbox.ts";

const LAYOUT =
  "message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now()";
const TABLES = [
  `CREATE TABLE inbox_shadow (${LAYOUT}, processed_at timestamptz, shadow boolean NOT NULL DEFAULT false)`,
  "INSERT INTO inbox_shadow (message_id,event_type,payload,shadow) VALUES ('m1','a','{}',false),('m2','a','{}',true)",
  `CREATE TABLE inbox_codes (${LAYOUT}, status smallint NOT NULL DEFAULT 0, processed_at timestamptz)`,
  "INSERT INTO inbox_codes (message_id,event_type,payload,status,processed_at) VALUES ('m1','a','{}',0,NULL),('m2','a','{}',1,NULL),('m3','a','{}',2,now()),('m4','a','{}',9,now())",
  `CREATE TABLE inbox_paid (${LAYOUT}, status text NOT NULL, processed_at timestamptz)`,
  "INSERT INTO inbox_paid (message_id,event_type,payload,status,processed_at) VALUES ('m1','a','{}','PAID',NULL),('m2','a','{}','BOOKED',now())",
  `CREATE TABLE inbox_flag (${LAYOUT}, processed boolean)`,
  "INSERT INTO inbox_flag (message_id,event_type,payload,processed) VALUES ('m1','a','{}',NULL),('m2','a','{}',true),('m3','a','{}',false)",
  `CREATE TABLE inbox_plain (${LAYOUT}, processed_at timestamptz, encrypted boolean NOT NULL DEFAULT false, last_attempt_at timestamptz)`,
  `CREATE TABLE inbox_places (id bigserial PRIMARY KEY, ${LAYOUT.replace("PRIMARY KEY", "NOT NULL")}, processed_at timestamptz, environment text NOT NULL DEFAULT 'live', UNIQUE (environment, message_id))`,
  "INSERT INTO inbox_places (message_id,event_type,payload,environment) VALUES ('m1','a','{}','live'),('m2','a','{}','test')",
  "CREATE TABLE incoming_messages (id bigserial PRIMARY KEY, external_id text NOT NULL UNIQUE, body text NOT NULL, received_at timestamptz NOT NULL, processed_at timestamptz)",
  "CREATE TABLE mq_message_log (id bigserial PRIMARY KEY, message_id text NOT NULL, exchange text NOT NULL, routing_key text NOT NULL, queue text NOT NULL, payload text NOT NULL, status smallint NOT NULL DEFAULT 0, fail_reason text, retry_count int NOT NULL DEFAULT 0, receive_time timestamptz NOT NULL DEFAULT now(), handle_time timestamptz, UNIQUE (message_id, queue))",
  "CREATE TABLE inbound_queue (msg_uuid uuid PRIMARY KEY, rcvd_ts timestamptz NOT NULL, proc_cd char(1), proc_ts timestamptz)",
  "CREATE TABLE inbound_calls (call_id uuid PRIMARY KEY, received_at timestamptz NOT NULL, processed_at timestamptz)",
  "CREATE TABLE incoming_emails (id bigserial PRIMARY KEY, sender text NOT NULL, subject text, body text NOT NULL, received_at timestamptz NOT NULL, processed_at timestamptz)",
];

const database = testDatabase("empty");
let tables: readonly CatalogTable[];
let states: (name: string, answers?: InboxAnswers) => Promise<Record<string, string>>;
beforeAll(async () => {
  await database().pool.query(TABLES.join("; "));
  const store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
  tables = await readLooked(store);
  await store.close();
  states = async (name, answers) => {
    const reading = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
    try {
      const { rows } = await reading
        .inbox("orders", mappingOf(name, answers))
        .list({ filter: { state: "all" }, limit: 9 });
      return Object.fromEntries(rows.map(({ messageId, state }) => [messageId, state]));
    } finally {
      await reading.close();
    }
  };
});

const tableOf = (name: string) => {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
};

function mappingOf(name: string, answers?: InboxAnswers) {
  const mapping = recogniseInbox(tableOf(name), answers);
  if (!mapping) throw new Error(`no inbox ${name}`);
  return mapping;
}

describe("a flag that is null in some rows and false in others", () => {
  test("is asked about, and no row is told meanwhile", async () => {
    expect(mappingOf("inbox_flag").question).toContain("What does false mean in processed of public.inbox_flag?");
    expect(await states("inbox_flag")).toEqual({ m1: "received", m2: "received", m3: "received" });
  });

  test.each(["failed", "waiting"] as const)("is read with false as %s once the configuration says so", async (list) => {
    const answers = { words: { [list]: ["false"] } };
    const ofFalse = list === "failed" ? "failed" : "unprocessed";
    expect(mappingOf("inbox_flag", answers).question).toBeUndefined();
    expect(await states("inbox_flag", answers)).toEqual({ m1: "unprocessed", m2: "processed", m3: ofFalse });
  });
});

describe("a column of unknown meaning", () => {
  test("is asked about, and rows that have it are not counted as unprocessed", async () => {
    expect(mappingOf("inbox_shadow").question).toBe(
      "Does a row of public.inbox_shadow still wait to be processed when shadow is true? Until this is answered it is shown as received and not counted as unprocessed. If it waits, name shadow under ignoredColumns of the inbox.",
    );
    expect(await states("inbox_shadow")).toEqual({ m1: "unprocessed", m2: "received" });
  });

  test("is not read once the configuration says that it means nothing", async () => {
    const answers = { ignoredColumns: ["shadow"] };
    expect(mappingOf("inbox_shadow", answers).question).toBeUndefined();
    expect(await states("inbox_shadow", answers)).toEqual({ m1: "unprocessed", m2: "unprocessed" });
  });

  test("is asked about as well where the configuration names the inbox", () => {
    expect(mappingOf("inbox_shadow", {}).question).toContain("when shadow is true");
  });

  test("is not asked about where its name speaks of the content, or of attempts", () => {
    expect(mappingOf("inbox_plain").question).toBeUndefined();
  });
});

describe("a key", () => {
  test("may have a column that says nothing of processing", async () => {
    expect(mappingOf("inbox_places").question).toContain("name environment under ignoredColumns");
    const answers = { ignoredColumns: ["environment"] };
    expect(mappingOf("inbox_places", answers).question).toBeUndefined();
    expect(await states("inbox_places", answers)).toEqual({ m1: "unprocessed", m2: "unprocessed" });
  });

  test("is read even if the configuration says that it means nothing", () => {
    const { primaryKey, messageId } = mappingOf("inbox_plain", { ignoredColumns: ["message_id"] });
    expect([...primaryKey, messageId].map(({ name }) => name)).toEqual(["message_id", "message_id"]);
  });
});

describe("codes of unknown meaning", () => {
  test("are asked about; a new row's code, where no time of processing is set, waits", async () => {
    expect(mappingOf("inbox_codes").question).toMatch(
      /^What does [129], [129], [129] mean in status of public.inbox_codes\?/,
    );
    expect(await states("inbox_codes")).toEqual({ m1: "unprocessed", m2: "received", m3: "received", m4: "received" });
  });

  test("mean what the configuration says", async () => {
    const words = { waiting: ["0", "1"], processed: ["2"], failed: ["9"] };
    expect(mappingOf("inbox_codes", { words }).question).toBeUndefined();
    expect(await states("inbox_codes", { words })).toEqual({
      m1: "unprocessed",
      m2: "unprocessed",
      m3: "processed",
      m4: "failed",
    });
  });
});

test("a status of what the message is about leaves every row received, until it is ignored", async () => {
  expect(mappingOf("inbox_paid").question).toContain("or status under ignoredColumns if it says nothing of processing");
  expect(await states("inbox_paid")).toEqual({ m1: "received", m2: "received" });
  expect(await states("inbox_paid", { ignoredColumns: ["status"] })).toEqual({ m1: "unprocessed", m2: "processed" });
});

test("a table of messages that arrive is a question, and one of e-mails is none", () => {
  expect(leftAlone([tableOf("incoming_messages")])).toEqual([
    expect.objectContaining({
      mayBeInbox: true,
      reason: expect.stringContaining("incoming_messages looks like an inbox by its columns"),
    }),
  ]);
  expect(leftAlone([tableOf("mq_message_log")])).toEqual([
    expect.objectContaining({ mayBeInbox: true, reason: expect.stringContaining("are then known by message_id") }),
  ]);
  expect(leftAlone([tableOf("inbound_queue")])).toEqual([
    expect.objectContaining({ mayBeInbox: true, reason: expect.stringContaining("are then known by msg_uuid") }),
  ]);
  expect(leftAlone([tableOf("inbound_calls")])).toEqual([]);
  expect(leftAlone([tableOf("incoming_emails")]).filter(({ mayBeInbox }) => mayBeInbox)).toEqual([]);
  expect(recogniseInbox(tableOf("incoming_messages"), {})).toMatchObject({ messageId: { name: "external_id" } });
});
