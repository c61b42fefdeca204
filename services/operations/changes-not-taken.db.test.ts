import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { recogniseOutbox } from "#db/shapes/recognise.ts";
import type { Store } from "#db/stores/port/store.ts";
import type { VerbRequest } from "#db/stores/port/verb.ts";
import { openPostgresStore } from "#db/stores/postgres/open-postgres-store.ts";
import { operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, openTable, act, rowsOf, auditRows } = operatedOutbox();
const query = (sql: string) => database().pool.query(sql);

const OUTBOX = `CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL DEFAULT 'a', payload jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING','SENT','FAILED','DEAD')), attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())`;
const FAILED = "INSERT INTO outbox (status, attempts) VALUES ('FAILED', 3), ('FAILED', 3)";
const guardedBy = (body: string) =>
  `CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$; CREATE TRIGGER guard BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION guard()`;

const HINDRANCES = [
  ["a trigger that drops the change", guardedBy("RETURN NULL;"), "drops the change"],
  ["a rule that drops the change", "CREATE RULE guard AS ON UPDATE TO outbox DO INSTEAD NOTHING", "drops the change"],
  [
    "a trigger that writes the old status again",
    guardedBy("NEW.status := OLD.status; RETURN NEW;"),
    "its row is failed after it, too",
  ],
] as const;

async function orders(store: Store) {
  const { tables } = await store.catalog();
  const [table] = tables.filter(({ name }) => name === "outbox");
  const found = table ? recogniseOutbox(table, tables) : { problem: "no table" };
  if ("problem" in found) throw new Error(found.problem);
  const { mapping } = found;
  return store.outbox({ name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: -1 });
}

describe("a change that the table does not take is refused, and said to be", () => {
  test.each(HINDRANCES)("%s", async (_, ddl, why) => {
    await query(`${OUTBOX}; ${FAILED}; ${ddl}`);
    openTable("public.outbox", { columns: { status: "status" } });
    const rows = await rowsOf("outbox");
    for (const action of ["retry", "dead-letter"] as const) {
      const [outcome] = (await act(action, "1")).outcomes;
      expect(outcome).toMatchObject({ outcome: "skipped", code: "conflict", message: expect.stringContaining(why) });
    }
    expect(await rowsOf("outbox")).toEqual(rows);
    expect((await auditRows()).map(({ outcome }) => outcome)).not.toContain("done");
  });

  test.each(HINDRANCES.flatMap((one) => [["retry", ...one] as const, ["dead-letter", ...one] as const]))(
    "of many at once: %s: %s",
    async (action, _, ddl, why) => {
      await query(`${OUTBOX}; ${FAILED}; ${ddl}`);
      const store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
      try {
        const outbox = await orders(store);
        const found = await outbox.read.find(["1", "2"]);
        const operationId = randomUUID();
        await query(
          `INSERT INTO outbox_console.operation_item (operation_id, seq, message_id, version, state_before)
         VALUES ('${operationId}', 1, '1', '', 'failed'), ('${operationId}', 2, '2', '', 'failed')`,
        );
        const verbs = found.map(
          ({ id, version }, n): VerbRequest => ({
            ...{ id, version, action, actor: { name: "ada", role: "admin" }, reason: "INC-42" },
            ...{ operationId, dryRun: false, item: { seq: n + 1, outcome: action === "retry" ? "released" : "done" } },
          }),
        );
        const messages = (await outbox.act.performItems(verbs)).map(({ failure }) => failure?.message ?? "done");
        expect(messages).toEqual([expect.stringContaining(why), expect.stringContaining(why)]);
      } finally {
        await store.close();
      }
    },
  );

  test("a trigger that sets a mark again, in a table of several marks", async () => {
    await query(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, dead boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now()); INSERT INTO outbox (event_type, payload, dead) VALUES ('a', '{}', true)",
    );
    await query(guardedBy("NEW.dead := OLD.dead; RETURN NEW;"));
    openTable("public.outbox", { columns: { publishedAt: "sent_at" } });
    const [outcome] = (await act("retry", "1")).outcomes;
    expect(outcome).toMatchObject({ outcome: "skipped", message: expect.stringContaining("its row is dead after it") });
  });

  test("a trigger that writes other columns is no hindrance", async () => {
    await query(`${OUTBOX}; ${FAILED}; ALTER TABLE outbox ADD changed timestamptz`);
    await query(guardedBy("NEW.changed := now(); RETURN NEW;"));
    openTable("public.outbox", { columns: { status: "status" } });
    expect((await act("retry", "1")).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "pending" });
    expect((await act("dead-letter", "2")).outcomes[0]).toMatchObject({ outcome: "done", stateAfter: "dead" });
  });
});

test("a row with an hstore stays in its table, because its image could not be read again", async () => {
  await query("CREATE EXTENSION hstore");
  await query(
    `CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text DEFAULT 'a', payload jsonb DEFAULT '{}', headers hstore DEFAULT 'a=>1', created_at timestamptz DEFAULT now(), published_at timestamptz); INSERT INTO outbox (published_at) VALUES (NULL), (now())`,
  );
  openTable("public.outbox", { columns: { publishedAt: "published_at" } });
  const rows = await rowsOf("outbox");
  const stays = { outcome: "skipped", code: "wrong_state", message: expect.stringContaining("an hstore") };
  expect((await act("dead-letter", "1")).outcomes[0]).toMatchObject(stays);
  expect((await act("archive", "2")).outcomes[0]).toMatchObject(stays);
  expect(await rowsOf("outbox")).toEqual(rows);
});

test("a table from which others inherit is observed and not acted on", async () => {
  await query(
    `${OUTBOX}; CREATE TABLE outbox_orders (order_no text DEFAULT 'o-1', PRIMARY KEY (id)) INHERITS (outbox); INSERT INTO outbox (id) VALUES (1); INSERT INTO outbox_orders (id) VALUES (1)`,
  );
  openTable("public.outbox", { columns: { status: "status" } });
  await expect(act("dead-letter", "1", { version: "x" })).rejects.toThrow("outbox_orders inherits from public.outbox");
  openTable("public.outbox_orders", { columns: { status: "status" } });
  expect((await act("dead-letter", "1")).outcomes[0]).toMatchObject({ outcome: "done" });
  expect(await rowsOf("ONLY outbox")).toHaveLength(1);
});
