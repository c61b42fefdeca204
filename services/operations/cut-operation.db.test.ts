import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import type { Operation, TargetedRequest } from "#contracts/message/operations.ts";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listMessages } from "../messages/list-messages.ts";
import type { Runtime } from "../runtime.ts";
import { getOperation } from "./get-operation.ts";
import { performOperation } from "./perform-operation.ts";

const ADD_EVENTS = "INSERT INTO outbox_events (event_type, payload) SELECT 'a', '{}' FROM generate_series(1, 4)";

/** Commits of an action on the message in `held` wait until it is released: the moment that a test cuts. */
const HOLD_COMMITS = `
CREATE TABLE held (message_id text);
CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  WHILE EXISTS (SELECT FROM held WHERE message_id = NEW.message_id) LOOP PERFORM pg_sleep(0.02); END LOOP;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON outbox_console.audit DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION hold_commit();`;
/** A commit that waits in the trigger; one that is merely quick to be seen does not count. */
const COMMITTING =
  "SELECT pid FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'PgSleep' AND datname = current_database()";

let runtime: Runtime;

async function targets(): Promise<TargetedRequest["targets"]> {
  const query = messageQuerySchema.parse({ state: "pending" });
  const { messages } = await listMessages({ runtime, outbox: "orders", query });
  return messages.map(({ id, version }) => ({ id, version }));
}

function perform(list: TargetedRequest["targets"], key: string): Promise<Operation> {
  return performOperation({
    ctx: contextOf(runtime, ADMIN),
    outbox: "orders",
    request: { action: "dead-letter", targets: list, reason: "cut meanwhile" },
    idempotencyKey: key,
  });
}

const outcomesOf = (operation: Operation) => operation.outcomes.map(({ outcome }) => outcome);

/** The record once it is finished; asked for as a client would. */
async function finished(id: string): Promise<Operation> {
  let operation: Operation | undefined;
  await waitFor(
    async () => {
      operation = await getOperation({ runtime, id }).catch(() => undefined);
      return operation?.finished === true;
    },
    { timeoutMs: 60_000, message: "the operation is finished" },
  );
  if (!operation) throw new Error("unreachable");
  return operation;
}

describe("a connection that is lost while a change is being committed", () => {
  const database = testDatabase("migrated");
  let proxy: TcpProxy;

  beforeAll(async () => {
    await database().pool.query(OUTBOX_EVENTS);
    await database().pool.query(HOLD_COMMITS);
  });

  beforeEach(async () => {
    await database().pool.query(
      "TRUNCATE outbox_events, outbox_console.dead_letter, outbox_console.operation, outbox_console.audit",
    );
    await database().pool.query(ADD_EVENTS);
    proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
    const url = new URL(database().url);
    url.port = String(proxy.port);
    runtime = openOperatedRuntime(url.toString(), "outbox_events");
  });

  afterEach(async () => {
    await database().pool.query("DELETE FROM held");
    await proxy.resume();
    await runtime.close();
    await proxy.close();
  });

  async function cutSecond(cut: (pid: number) => Promise<void>) {
    const list = await targets();
    const key = randomUUID();
    await database().pool.query("INSERT INTO held VALUES ($1)", [list[1]?.id]);
    const acting = perform(list, key);
    let pid = 0;
    await waitFor(
      async () => {
        pid = (await database().pool.query<{ pid: number }>(COMMITTING)).rows[0]?.pid ?? 0;
        return pid !== 0;
      },
      { message: "the second message is being committed" },
    );
    await cut(pid);
    return { list, key, answer: await acting };
  }

  async function committed() {
    await waitFor(async () => (await database().pool.query("SELECT 1 FROM outbox_console.audit")).rows.length === 2, {
      message: "the second message is committed",
    });
  }

  /** States of the rows, which the record must match. */
  async function deadLettered(list: TargetedRequest["targets"]): Promise<boolean[]> {
    const { rows } = await database().pool.query<{ id: string }>(
      "SELECT message_id AS id FROM outbox_console.dead_letter",
    );
    return list.map(({ id }) => rows.some((row) => row.id === id));
  }

  test("the server is down for a while and had committed: unknown, then done", async () => {
    const { list, key, answer } = await cutSecond(() => proxy.refuse());
    expect(answer).toMatchObject({ finished: false, done: 1, failed: 2, unknown: 1 });
    expect(outcomesOf(answer)).toEqual(["done", "unknown", "failed", "failed"]);
    expect(answer.outcomes[1]).toMatchObject({ code: "unavailable", stateAfter: null });
    await database().pool.query("DELETE FROM held");
    await committed();
    await proxy.resume();
    const record = await finished(answer.id);
    expect(outcomesOf(record)).toEqual(["done", "done", "failed", "failed"]);
    expect(record.outcomes[1]).toMatchObject({ code: null, stateBefore: "pending", stateAfter: "dead" });
    expect(await deadLettered(list)).toEqual([true, true, false, false]);
    expect(await perform(list, key)).toEqual(record);
    expect(await deadLettered(list)).toEqual([true, true, false, false]);
  });

  test("the server had not committed: unknown, then failed", async () => {
    const { list, key, answer } = await cutSecond(async (pid) => {
      await proxy.refuse();
      await database().pool.query("SELECT pg_terminate_backend($1)", [pid]);
    });
    expect(outcomesOf(answer)).toEqual(["done", "unknown", "failed", "failed"]);
    await proxy.resume();
    const record = await finished(answer.id);
    expect(outcomesOf(record)).toEqual(["done", "failed", "failed", "failed"]);
    expect(await deadLettered(list)).toEqual([true, false, false, false]);
    expect(await perform(list, key)).toEqual(record);
  });

  test("only the connection broke: nothing is judged while the commit goes on", async () => {
    const { list, key, answer } = await cutSecond(async () => proxy.cut());
    expect(answer.outcomes[1]?.outcome).toBe("unknown");
    const early = await getOperation({ runtime, id: answer.id });
    expect(early).toMatchObject({ id: answer.id, finished: false });
    expect(early.outcomes[1]?.outcome).toBe("unknown");
    await expect(perform(list, key)).rejects.toMatchObject({ code: "conflict" });
    await database().pool.query("DELETE FROM held");
    const record = await finished(answer.id);
    expect(record.outcomes[1]?.outcome).toBe("done");
    expect((await deadLettered(list))[1]).toBe(true);
  });

  test("another console that died in the middle: its record is finished by whoever asks later", async () => {
    const { list, key, answer } = await cutSecond(() => proxy.refuse());
    await runtime.close();
    Reflect.deleteProperty(globalThis, "outboxConsoleState");
    await database().pool.query("DELETE FROM held");
    await committed();
    runtime = openOperatedRuntime(database().url, "outbox_events");
    expect(await getOperation({ runtime, id: answer.id })).toMatchObject({
      finished: false,
      done: 2,
      unknown: 2,
    });
    await expect(perform(list, key)).rejects.toMatchObject({ code: "conflict" });
    await database().pool.query("UPDATE outbox_console.operation SET at = at - interval '10 minutes'");
    const record = await getOperation({ runtime, id: answer.id });
    expect(outcomesOf(record)).toEqual(["done", "done", "failed", "failed"]);
    expect(record.finished).toBe(true);
    expect(await perform(list, key)).toEqual(record);
  });
});

test("Postgres restarts between two messages: the outcomes so far, then the record", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "outbox-console-cut-"));
  let server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  const { url, port } = server;
  try {
    await migrateStoreSide(url);
    const holder = new pg.Client({ connectionString: url });
    holder.on("error", () => undefined);
    await holder.connect();
    await holder.query(OUTBOX_EVENTS);
    await holder.query(ADD_EVENTS);
    runtime = openOperatedRuntime(url, "outbox_events");
    const list = await targets();
    const key = randomUUID();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM outbox_events WHERE id = $1 FOR UPDATE", [list[1]?.id]);
    const acting = perform(list, key);
    const other = new pg.Client({ connectionString: url });
    other.on("error", () => undefined);
    await other.connect();
    await waitFor(async () => (await other.query("SELECT 1 FROM outbox_console.audit")).rows.length === 1, {
      message: "the first message is done",
    });
    await server.stop();
    const answer = await acting;
    expect(answer).toMatchObject({ finished: false, done: 1 });
    expect(answer.outcomes[0]?.outcome).toBe("done");
    expect(answer.outcomes[3]).toMatchObject({ outcome: "failed", code: "unavailable" });
    server = await startEmbeddedPostgres({ dataDir, port, settings: { fsync: "off" } });
    const record = await finished(answer.id);
    expect(outcomesOf(record)).toEqual(["done", "failed", "failed", "failed"]);
    expect(await perform(list, key)).toEqual(record);
  } finally {
    await runtime.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
