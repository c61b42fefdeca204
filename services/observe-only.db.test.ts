import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { inboxQuerySchema } from "#contracts/outbox/inboxes.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import { OUTBOX_EVENTS_WITH_ATTEMPTS, OUTBOX_PARTITIONED, OUTBOX_WITH_ARCHIVE } from "#tests/factories/layouts.ts";
import { ADMIN, contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { createTestDatabase, testDatabase } from "#tests/postgres.ts";
import type { TestDatabase } from "#tests/test-database.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listAudit } from "./audit/list-audit.ts";
import { checkHealth } from "./health/check-health.ts";
import { checkReady } from "./health/check-ready.ts";
import { renderMetrics } from "./health/render-metrics.ts";
import { listInboxMessages } from "./inboxes/list-inbox-messages.ts";
import { listInboxes } from "./inboxes/list-inboxes.ts";
import { explainMessage } from "./messages/explain-message.ts";
import { getMessage } from "./messages/get-message.ts";
import { listFailureGroups } from "./messages/list-failure-groups.ts";
import { listMessages } from "./messages/list-messages.ts";
import { performOperation } from "./operations/perform-operation.ts";
import { getOutbox } from "./outboxes/get-outbox.ts";
import { listOutboxes } from "./outboxes/list-outboxes.ts";
import { readSeries } from "./outboxes/read-series.ts";
import { takeSnapshot } from "./outboxes/take-snapshot.ts";
import { listRelays } from "./relays/list-relays.ts";
import type { Runtime } from "./runtime.ts";

const database = testDatabase("empty");
const ROLE = `watcher_${process.pid}`;
let runtime: Runtime;

beforeEach(async () => {
  const { pool } = database();
  await pool.query(
    "DROP SCHEMA IF EXISTS shop CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE SCHEMA shop",
  );
  await pool.query(OUTBOX_EVENTS_WITH_ATTEMPTS);
  await pool.query(OUTBOX_WITH_ARCHIVE);
  await pool.query(`SET search_path = shop; ${OUTBOX_PARTITIONED}; RESET search_path`);
  await pool.query(
    `INSERT INTO outbox_events (event_type, payload, attempts, last_error, occurred_at, dispatched_at) SELECT 'a', '{}', n % 12, 'HTTP 500 for ' || n, now() - interval '10 min', CASE WHEN n % 5 = 0 THEN now() END FROM generate_series(1, 100) n`,
  );
  await pool.query(
    "INSERT INTO outbox SELECT gen_random_uuid(), 'order', n::text, 'b', '{}', now(), NULL FROM generate_series(1, 10) n",
  );
  await pool.query(
    "INSERT INTO inbox SELECT gen_random_uuid(), gen_random_uuid(), '{}', now(), CASE WHEN n > 3 THEN now() END FROM generate_series(1, 10) n",
  );
  await pool.query(
    "INSERT INTO shop.outbox SELECT gen_random_uuid(), 'order', n::text, 'c', '{}', now(), now() FROM generate_series(1, 10) n",
  );
});

const others: TestDatabase[] = [];

afterEach(async () => {
  await runtime.close();
  for (const other of others.splice(0)) await other.drop();
});

afterAll(async () => {
  await database().pool.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
});

/** Everything that a page may read, over every outbox and inbox that was found. */
async function readAll() {
  const { outboxes } = await listOutboxes({ runtime });
  for (const { name } of outboxes) {
    await takeSnapshot({ runtime, outbox: name });
    const { capabilities } = await getOutbox({ runtime, outbox: name });
    expect(Object.values(capabilities.actions).filter(({ possible }) => possible)).toEqual([]);
    await listFailureGroups({ runtime, outbox: name });
    await readSeries({ runtime, outbox: name });
    for (const state of MESSAGE_STATES) {
      const page = await listMessages({ runtime, outbox: name, query: messageQuerySchema.parse({ state, limit: 3 }) });
      for (const { id } of page.messages.slice(0, 1)) {
        await getMessage({ runtime, outbox: name, id });
        await explainMessage({ runtime, outbox: name, id });
      }
    }
  }
  for (const { name } of (await listInboxes({ runtime })).inboxes)
    await listInboxMessages({ runtime, inbox: name, query: inboxQuerySchema.parse({}) });
  await listRelays({ runtime });
  await listAudit({ runtime, query: { limit: 50 } });
  await checkHealth({ runtime });
  await checkReady({ runtime });
  await renderMetrics({ runtime });
  return outboxes;
}

/** What exists, and what was ever written to the team's tables, as far as the server reports that when asked. */
async function fingerprintOf() {
  const { rows: known } = await database().pool.query("SELECT to_regproc('pg_stat_force_next_flush') AS flush");
  const isTold = known[0].flush !== null;
  if (isTold) await database().pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await database().pool.query(
    `SELECT (SELECT count(*)::int FROM pg_class) AS classes, (SELECT array_agg(nspname::text ORDER BY 1) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp') AS schemas,
       (SELECT string_agg(relid || ':' || n_tup_ins || ':' || n_tup_upd || ':' || n_tup_del, ',' ORDER BY relid) FROM pg_stat_user_tables WHERE $1) AS writes,
       (SELECT md5(string_agg(t::text || t.xmin::text, '' ORDER BY t::text)) FROM outbox_events t) AS content`,
    [isTold],
  );
  return rows[0];
}

async function asWatcher(grants: string): Promise<string> {
  await database().pool.query(
    `DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${ROLE}') THEN CREATE ROLE ${ROLE} LOGIN PASSWORD 'w'; END IF; END $$; ${grants}`,
  );
  const url = new URL(database().url);
  url.username = ROLE;
  url.password = "w";
  return url.toString();
}

test("every page works over a database without our schema, and changes nothing in it", async () => {
  const before = await fingerprintOf();
  runtime = openTestRuntime(database().url);
  const asked = runtime;
  // A database that answers too late for the console, on a busy machine, is asked again.
  await waitFor(
    async () => (await listOutboxes({ runtime: asked })).outboxes.every(({ problem }) => problem === null),
    {
      message: "every outbox is read",
    },
  );
  const outboxes = await readAll();
  const listed = outboxes.map((outbox) => [outbox.name, outbox.table, outbox.mode, outbox.problem]);
  expect(listed.sort()).toEqual([
    ["outbox", "public.outbox", "observe", null],
    ["outbox_events", "public.outbox_events", "observe", null],
    ["shop-outbox", "shop.outbox", "observe", null],
  ]);
  expect((await listInboxes({ runtime })).inboxes.map((inbox) => inbox.name)).toEqual(["inbox", "processed_events"]);
  const { rows } = await database().pool.query(
    "SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
  );
  expect(rows).toEqual([{ locks: 0 }]);
  expect(await fingerprintOf()).toEqual(before);
});

test("what is only observed is not acted on", async () => {
  runtime = openTestRuntime(database().url);
  const [message] = (await listMessages({ runtime, outbox: "outbox", query: messageQuerySchema.parse({}) })).messages;
  const acting = performOperation({
    ctx: contextOf(runtime, ADMIN),
    outbox: "outbox",
    request: {
      action: "dead-letter",
      targets: [{ id: message?.id ?? "", version: message?.version ?? "" }],
      reason: "try",
    },
    idempotencyKey: null,
  });
  await expect(acting).rejects.toMatchObject({
    code: "wrong_state",
    message: expect.stringContaining("mode: operate"),
  });
});

test("a role that may only read is enough", async () => {
  const url = await asWatcher(
    `GRANT USAGE ON SCHEMA public, shop TO ${ROLE}; GRANT SELECT ON ALL TABLES IN SCHEMA public, shop TO ${ROLE}`,
  );
  runtime = openTestRuntime(url);
  const outboxes = await readAll();
  expect(outboxes.map((outbox) => outbox.problem)).toEqual([null, null, null]);
});

test("one table that may not be read says so; the others work, and health fails for that one", async () => {
  const url = await asWatcher(
    `GRANT USAGE ON SCHEMA public TO ${ROLE}; REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${ROLE}; GRANT SELECT ON outbox_events, inbox TO ${ROLE}`,
  );
  runtime = openTestRuntime(url);
  const { outboxes } = await listOutboxes({ runtime });
  const problem = Object.fromEntries(outboxes.map((outbox) => [outbox.name, outbox.problem]));
  expect(problem.outbox_events).toBeNull();
  expect(problem.outbox).toContain("lacks the permission");
  expect(problem["shop-outbox"]).toContain("lacks the permission");
  const { inboxes } = await listInboxes({ runtime });
  expect(inboxes.map((inbox) => inbox.problem === null)).toEqual([true, false]);
  const health = await checkHealth({ runtime });
  expect(health.checks?.["outbox:database"]?.[0]).toMatchObject({
    status: "fail",
    output: expect.stringContaining("lacks the permission"),
  });
  expect(health.checks?.["outbox_events:oldestPending"]?.[0]?.status).toBe("fail");
  expect((await renderMetrics({ runtime })).text).toContain('outbox_up{outbox="outbox"} 0');
});

test("our schema in a database whose role may not see into it does not blind the console", async () => {
  const migrated = await createTestDatabase("migrated");
  others.push(migrated);
  await migrated.pool.query(OUTBOX_EVENTS_WITH_ATTEMPTS);
  await migrated.pool.query(`GRANT SELECT ON outbox_events TO ${ROLE}`);
  const url = new URL(migrated.url);
  url.username = ROLE;
  url.password = "w";
  runtime = openTestRuntime(url.toString());
  const { outboxes, problems } = await listOutboxes({ runtime });
  expect(problems).toEqual([]);
  expect(outboxes.map((outbox) => [outbox.name, outbox.problem])).toEqual([["outbox_events", null]]);
});

test("a database without any outbox is said as such", async () => {
  const empty = await createTestDatabase("empty");
  others.push(empty);
  runtime = openTestRuntime(empty.url);
  expect((await listOutboxes({ runtime })).outboxes).toEqual([]);
  expect(await checkHealth({ runtime })).toMatchObject({
    status: "warn",
    output: expect.stringContaining("No outbox"),
  });
});
