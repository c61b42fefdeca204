import { afterAll, beforeAll, expect, test } from "vitest";
import { OTHER_TABLES } from "#db/shapes/hand-made/others/other-tables.ts";
import { testDatabase } from "#tests/postgres.ts";
import { parseConfig } from "../config/load-config.ts";
import { listInboxes } from "../inboxes/list-inboxes.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { checkTables } from "./check-tables.ts";

const database = testDatabase("empty");
let runtime: Runtime;

beforeAll(async () => {
  const { pool, url } = database();
  await pool.query("CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text, payload jsonb, sent_at timestamptz)");
  await pool.query("CREATE TABLE letters_outbox (id text PRIMARY KEY, event_id text, status text, attempts int)");
  await pool.query(
    `CREATE TABLE processed_kafka_records (topic text, "partition" int, "offset" bigint, PRIMARY KEY (topic, "partition", "offset"))`,
  );
  for (const { ddl } of OTHER_TABLES.filter(({ what }) => ["River", "e-mails"].includes(what))) await pool.query(ddl);
  const config = parseConfig(`stores: { shop: { kind: postgres, url: "${url}" } }`, {}, "test");
  runtime = openRuntime({ config, applicationName: "candidates test", env: {} });
});

afterAll(() => runtime.close());

test("a near miss is listed with its question although there is an outbox", async () => {
  const { outboxes, candidates, looked } = await listOutboxes({ runtime });
  expect(outboxes.map(({ name }) => name)).toEqual(["outbox"]);
  expect(looked).toEqual([]);
  expect(candidates).toEqual([
    {
      store: "shop",
      table: "public.letters_outbox",
      score: expect.any(Number),
      question: "public.letters_outbox looks like an outbox: which column is the payload, or which table has it?",
      evidence: expect.arrayContaining(["status can be the status."]),
      columns: { id: "id", status: "status", attempts: "attempts" },
    },
  ]);
});

test("a table that may be an inbox is asked about beside the inboxes, in the doctor's words", async () => {
  const { inboxes, candidates } = await listInboxes({ runtime });
  expect(inboxes).toEqual([]);
  expect(candidates).toEqual([
    {
      store: "shop",
      table: "public.processed_kafka_records",
      question: expect.stringMatching(/^public\.processed_kafka_records may be an inbox that knows records by topic/),
      lines: "inboxes:\n  processed_kafka_records:\n    store: shop\n    table: public.processed_kafka_records",
    },
  ]);
});

test("the doctor prints the lines that answer it, and says what is left alone and why", async () => {
  const lines: string[] = [];
  const write = (text: string, fix?: string) => lines.push(`${text}\n${fix ?? ""}`);
  await checkTables(runtime, { ok: write, advise: write, bad: write });
  const said = lines.join("\n");
  expect(said).toContain("which column is the payload");
  expect(said).toContain("payload: …");
  expect(said).toContain("left alone: River: its rows are jobs");
  expect(said).toContain("public.mail_outbox looks like a table of e-mails");
  expect(said).toContain("processed_kafka_records may be an inbox that knows records by topic, partition and offset");
  expect(said).toContain("inboxes:\n  processed_kafka_records:");
});
