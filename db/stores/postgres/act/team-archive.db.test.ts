import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutboxStore } from "#db/stores/port/store.ts";
import type { VerbRequest } from "#db/stores/port/verb.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import type { Runtime } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";

const database = testDatabase("migrated");
const query = async (text: string) => (await database().pool.query(text)).rows;
const COLUMNS = `id bigserial PRIMARY KEY, aggregate_type text DEFAULT 'order', aggregate_id text, event_type text DEFAULT 'order.placed', payload text,
  created_at timestamptz DEFAULT now(), published_at timestamptz`;

let runtime: Runtime;
let outbox: OutboxStore;

beforeEach(async () => {
  await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  const ours = ["mapping_fingerprint", "archive", "operation", "operation_item", "audit", "retention_run"];
  await query(`TRUNCATE ${ours.map((name) => `outbox_console.${name}`).join(", ")}`);
  await query(`CREATE TABLE outbox (${COLUMNS}); CREATE TABLE outbox_archive (${COLUMNS});
    CREATE INDEX ON outbox (published_at);
    INSERT INTO outbox (aggregate_id, payload, published_at)
      SELECT n, ' {"n": 1.10}', now() - interval '3 days' + n * interval '0.123456 s' FROM generate_series(1, 3) n;
    ANALYZE outbox`);
  runtime = openOperatedRuntime(database().url, "public.outbox");
  const handle = await runtime.outbox("orders");
  outbox = outboxOf({ ...handle, accepted: await acceptFirstMapping(runtime, handle, "test") });
});
afterEach(() => runtime.close());

const trigger = (
  body: string,
) => `CREATE OR REPLACE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
  CREATE TRIGGER spoil BEFORE INSERT ON outbox_archive FOR EACH ROW EXECUTE FUNCTION spoil()`;

/** What keeps an archive table from taking a row as it is. */
const SPOILERS: [what: string, statement: string][] = [
  ["a trigger leaves the row out", trigger("RETURN NULL;")],
  ["a trigger changes the payload", trigger("NEW.payload := trim(NEW.payload); RETURN NEW;")],
  ["a rule does something else", "CREATE RULE spoil AS ON INSERT TO outbox_archive DO INSTEAD NOTHING"],
  ["a time has fewer digits", "ALTER TABLE outbox_archive ALTER published_at TYPE timestamptz(0)"],
  ["the payload is parsed", "ALTER TABLE outbox_archive ALTER payload TYPE jsonb USING payload::jsonb"],
  ["the row is there already", "INSERT INTO outbox_archive SELECT * FROM outbox"],
];
const photo = () =>
  query(`SELECT (SELECT json_agg(b ORDER BY id)::text FROM outbox b) AS box, (SELECT json_agg(a ORDER BY id)::text FROM outbox_archive a) AS archived,
    (SELECT count(*)::int FROM outbox_console.archive) AS ours`);

const archive = async (id: string) => {
  const [row] = await outbox.read.find([id]);
  const verb: VerbRequest = {
    ...{ id, version: row?.version ?? "", action: "archive", actor: { name: "ada", role: "admin" }, reason: "INC-42" },
    ...{ operationId: crypto.randomUUID(), dryRun: false },
  };
  return outbox.act.perform(verb, 0);
};
const retire = async () => {
  const { retention } = outbox;
  if (!retention) throw new Error("Postgres has retention.");
  const run = await retention.begin({ subject: "published", rule: "published 1 h, then archive" });
  const rule = { keepSeconds: 3600, how: "archive" as const, reader: null };
  return retention.removeSome(rule, { run, limit: 100, after: null, timeoutMs: 5_000 });
};

describe("the team's archive table", () => {
  test("takes each row as it is", async () => {
    const [before] = await photo();
    await archive("1");
    expect(await retire()).toMatchObject({ rows: 2 });
    expect(await photo()).toEqual([{ box: null, archived: before.box, ours: 3 }]);
  });

  test.each(SPOILERS)("keeps the row in the outbox if %s", async (_, statement) => {
    await query(statement);
    const before = await photo();
    await expect(archive("1")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("outbox_archive"),
    });
    await expect(retire()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("outbox_archive"),
    });
    expect(await photo()).toEqual(before);
  });
});
