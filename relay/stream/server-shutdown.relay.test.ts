import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { test } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { writePause } from "#db/stores/postgres/own-schema/pauses.ts";
import { startHttpReceiver } from "#tests/http-receiver.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startRelays } from "../start-relays.ts";
import { insertEvents, OUTBOX_DDL, openRelayRuntime } from "../testing/outbox.fixture.ts";
import { cdcLine, createStream } from "../testing/stream.fixture.ts";

/** A server that shuts down waits until every reader of its WAL has confirmed everything. */
const CASES = [
  { mark: "column", why: "messages are with a sink that is slow", paused: false },
  { mark: "none", why: "the outbox is paused and only the log has its messages", paused: true },
];

test.each(CASES)("a server shuts down although $why", async ({ mark, paused }) => {
  const dataDir = await mkdtemp(join(tmpdir(), "relay-shutdown-"));
  const server = await startEmbeddedPostgres({ dataDir });
  const receiver = await startHttpReceiver();
  await migrateStoreSide(server.url);
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on("error", () => undefined);
  await pool.query(OUTBOX_DDL);
  const slot = await createStream(pool);
  const relay = ["source: cdc", cdcLine(slot, mark)];
  const runtime = openRelayRuntime({ databaseUrl: server.url, sinkUrl: `${receiver.url}/events`, relay });
  const relays = await startRelays({ runtime, signal: new AbortController().signal, log: pino({ level: "silent" }) });
  try {
    await waitFor(
      async () =>
        (await pool.query("SELECT 1 FROM outbox_console.relay_instance WHERE stream ->> 'connected' = 'true'"))
          .rowCount === 1,
      { message: "the log is read" },
    );
    receiver.answerWith("hang");
    if (paused) await pauseOutbox(pool);
    await insertEvents(pool, { count: 20, aggregates: 20 });
    if (!paused) await receiver.waitForRequests(20);
    await pool.end();
    let over = false;
    void server.exited.then(() => {
      over = true;
    });
    process.kill(server.pid, "SIGINT");
    await waitFor(() => over, { timeoutMs: 30_000, message: "the server has shut down" });
  } finally {
    await relays.stop();
    await runtime.close();
    await server.stop();
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

async function pauseOutbox(pool: pg.Pool): Promise<void> {
  await writePause(pool, {
    outbox: "orders",
    scope: "outbox",
    subject: "",
    reason: "repair",
    by: "test",
    minutes: null,
  });
  await waitFor(
    async () => (await pool.query("SELECT 1 FROM outbox_console.relay_instance WHERE state = 'paused'")).rowCount === 1,
    { message: "the relay is paused" },
  );
}
