import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ItemAct } from "#db/stores/port/outbox-actions.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import type { VerbRequest } from "#db/stores/port/verb.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { MAPPING } from "../relay/relay-box.fixture.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { performItems } from "./perform-items.ts";

const COUNT = 3;

const database = testDatabase("migrated");
let store: Store;
let outbox: OutboxStore;
let other: pg.Client;
let letters: { id: string; version: string }[];

const verb = (letter: { id: string; version: string }, action: MessageAction = "retry"): VerbRequest => ({
  ...{ ...letter, action, actor: { name: "ada", role: "admin" }, reason: "INC-42" },
  ...{ operationId: crypto.randomUUID(), dryRun: false },
});
const find = async (ids: readonly string[]) =>
  (await outbox.read.find(ids)).map(({ id, version, state }) => ({ id, version, state }));

beforeEach(async () => {
  const { pool, url } = database();
  await pool.query(
    "CREATE TABLE IF NOT EXISTS box (id bigserial PRIMARY KEY, aggregate_id text, payload text, created_at timestamptz DEFAULT now(), published_at timestamptz)",
  );
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO box (aggregate_id, payload) SELECT n, 'x' FROM generate_series(1, ${COUNT}) n RETURNING id::text`,
  );
  store = openPostgresStore({ name: "shop", url, applicationName: "outbox-console test" });
  outbox = store.outbox({
    ...{ name: "orders", mapping: MAPPING, storeSide: true, maxAttempts: null, estimatedRows: -1 },
  });
  other = new pg.Client(url);
  await other.connect();
  const ids = rows.map(({ id }) => id);
  for (const row of await find(ids)) await outbox.act.perform(verb(row, "dead-letter"), 0);
  letters = await find(ids);
});
afterEach(async () => {
  await other.end();
  await store.close();
});

const retryAll = () => outbox.act.performItems(letters.map((letter) => verb(letter)));
const bringBackBy = async (client: pg.Client, id: string) => {
  await client.query("DELETE FROM outbox_console.dead_letter WHERE message_id = $1", [id]);
  await client.query("INSERT INTO box (id, aggregate_id, payload) VALUES ($1, 'a', 'x')", [id]);
  await client.query("COMMIT");
};
const statesNow = async () => (await find(letters.map(({ id }) => id))).map(({ state }) => state);

test("a retry of dead letters does not wait for a claim, nor a claim for it", async () => {
  await other.query("BEGIN");
  await lockOutbox(other, "orders", "shared");
  const acts = await retryAll();
  expect(acts.map(({ failure }) => failure)).toEqual(letters.map(() => null));
  expect(await statesNow()).toEqual(letters.map(() => "pending"));
});

test("a dead letter that another session acts on is left for later by many, and refused by one", async () => {
  const [first] = letters;
  await other.query("BEGIN");
  await other.query("SELECT FROM outbox_console.dead_letter WHERE message_id = $1 FOR UPDATE", [first?.id]);
  const failed = (await retryAll()).map(({ failure }) => failure?.code ?? null);
  expect(failed).toEqual(letters.map(({ id }) => (id === first?.id ? "locked" : null)));
  for (const action of ["retry", "archive", "purge"] as const)
    await expect(outbox.act.perform(verb(first as (typeof letters)[number], action), 0)).rejects.toMatchObject({
      code: "locked",
    });
  await other.query("COMMIT");
  expect((await retryAll()).map(({ failure }) => failure?.code ?? null)).toEqual(
    letters.map(({ id }) => (id === first?.id ? null : "conflict")),
  );
  expect(await statesNow()).toEqual(letters.map(() => "pending"));
});

test("a dead letter that another session brings back during the look is not said to be gone", async () => {
  const { pool } = database();
  const [first] = letters;
  const id = first?.id ?? "";
  await other.query("BEGIN");
  await other.query("SELECT FROM outbox_console.dead_letter WHERE message_id = $1 FOR UPDATE", [id]);
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  let looks = 0;
  const spied = {
    connect: async () => {
      const client = await connect();
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      const spy = async (...args: unknown[]) => {
        const text = typeof args[0] === "string" ? args[0] : (args[0] as { text: string }).text;
        if (/from "outbox_console"\."dead_letter"/i.test(text) && !/for update/i.test(text)) {
          looks += 1;
          if (looks === 1) await bringBackBy(other, id);
        }
        return query(...args);
      };
      return Object.assign(Object.create(client) as pg.PoolClient, { query: spy, release: () => client.release() });
    },
  } as unknown as pg.Pool;
  const ref = { name: "orders", mapping: MAPPING, storeSide: true, maxAttempts: null, estimatedRows: -1 };
  const acts: ItemAct[] = [];
  await performItems(spied, ref as never, {
    verbs: letters.map((letter) => verb(letter)),
    done: (some) => acts.push(...some),
  });
  expect(looks).toBeGreaterThan(0);
  expect(acts.map(({ failure }) => failure?.code ?? null)).toEqual(
    letters.map((letter) => (letter.id === id ? "conflict" : null)),
  );
});

test("a message whose id is in the table again does not come back, and the others do", async () => {
  const [first] = letters;
  await database().pool.query("INSERT INTO box (id, aggregate_id, payload) VALUES ($1, 'again', 'y')", [first?.id]);
  const acts = await retryAll();
  expect(acts.map(({ failure }) => failure?.code ?? null)).toEqual(
    letters.map(({ id }) => (id === first?.id ? "conflict" : null)),
  );
});

test("dead letters come back in the order given, whatever their size", async () => {
  const { rows } = await database().pool.query<{ id: string }>(
    "INSERT INTO box (aggregate_id, payload) SELECT 'one', repeat('x', CASE n WHEN 1 THEN 100000 ELSE 1 END) FROM generate_series(1, 3) n RETURNING id::text",
  );
  const ids = rows.map(({ id }) => id);
  for (const row of await find(ids)) await outbox.act.perform(verb(row, "dead-letter"), 0);
  const byId = new Map((await find(ids)).map((row) => [row.id, row]));
  await outbox.act.performItems(ids.flatMap((id) => byId.get(id) ?? []).map((row) => verb(row)));
  const due = await database().pool.query<{ message_id: string }>(
    "SELECT message_id FROM outbox_console.delivery WHERE message_id = ANY ($1) ORDER BY next_attempt_at",
    [ids],
  );
  expect(due.rows.map((row) => row.message_id)).toEqual(ids);
});

test("while many wait for a claim, nothing of theirs holds up a change of the table", async () => {
  const { pool } = database();
  const { rows } = await pool.query<{ id: string }>(
    "INSERT INTO box (aggregate_id, payload) VALUES ('a', 'x') RETURNING id::text",
  );
  const found = await find(rows.map(({ id }) => id));
  await other.query("BEGIN");
  await lockOutbox(other, "orders", "shared");
  const acting = outbox.act.performItems(found.map((row) => verb(row, "dead-letter")));
  const waits =
    "SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted";
  await waitFor(async () => (await pool.query(waits)).rowCount === 1, { message: "it waits for the claim" });
  expect((await pool.query("SELECT mode FROM pg_locks WHERE relation = 'box'::regclass")).rows).toEqual([]);
  await other.query("COMMIT");
  expect((await acting).map(({ failure }) => failure)).toEqual([null]);
});

test("a retry of dead messages that stay in their table does not wait for a claim either", async () => {
  const { pool } = database();
  const { rows } = await pool.query<{ id: string }>(
    "INSERT INTO box (aggregate_id, payload) SELECT n, 'x' FROM generate_series(1, 30) n RETURNING id::text",
  );
  const ids = rows.map(({ id }) => id);
  await pool.query(
    "INSERT INTO outbox_console.delivery (outbox, message_id, attempts, dead_at) SELECT 'orders', id, 5, now() FROM unnest($1::text[]) id",
    [ids],
  );
  const dead = await find(ids);
  await other.query("BEGIN");
  await lockOutbox(other, "orders", "shared");
  const acts = await outbox.act.performItems([...dead, ...letters].map((row) => verb(row)));
  expect(new Set(acts.map(({ failure }) => failure))).toEqual(new Set([null]));
  const due = await pool.query(
    "SELECT FROM outbox_console.delivery WHERE dead_at IS NULL AND next_attempt_at <= now() AND message_id = ANY ($1)",
    [[...ids, ...letters.map(({ id }) => id)]],
  );
  expect(due.rowCount).toBe(ids.length + COUNT);
});

test("retried messages are due in the order in which they were given", async () => {
  const { pool } = database();
  const given = [...letters].reverse();
  await outbox.act.performItems(given.map((letter) => verb(letter)));
  const { rows } = await pool.query<{ id: string }>(
    "SELECT message_id AS id FROM outbox_console.delivery WHERE message_id = ANY ($1) ORDER BY next_attempt_at",
    [letters.map(({ id }) => id)],
  );
  expect(rows.map(({ id }) => id)).toEqual(given.map(({ id }) => id));
});
