import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { type AnswerRule, startHttpReceiver } from "#tests/http-receiver.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startRelays } from "../../start-relays.ts";
import {
  type Delivery,
  distinct,
  insertEvents,
  inversions,
  OUTBOX_DDL,
  openRelayRuntime,
} from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

describe("a database that goes away", () => {
  let harness: RelayHarness | undefined;
  let proxy: TcpProxy | undefined;
  afterEach(async () => {
    await proxy?.resume();
    await harness?.close();
    await proxy?.close();
    proxy = undefined;
  });

  /** A relay that reaches the database only through the proxy. */
  const startBehindProxy = async (answer: AnswerRule = { status: 204, delayMs: 2 }) => {
    harness = await openHarness();
    const url = new URL(harness.databaseUrl);
    proxy = await startTcpProxy({ port: Number(url.port) });
    url.port = String(proxy.port);
    harness.receiver.answerWith(answer);
    await insertEvents(harness.pool, { count: 3000, aggregates: 30 });
    await harness.start({ databaseUrl: url.toString() });
    await harness.receiver.waitForRequests(300);
    return { harness, proxy };
  };

  test("connections that are cut repeatedly: nothing is lost, no aggregate is inverted", async () => {
    const { harness: open, proxy: line } = await startBehindProxy();
    for (let cut = 1; cut <= 5; cut += 1) {
      const before = open.receiver.requests.length;
      line.cut();
      await waitFor(() => open.receiver.requests.length > Math.min(before + 150, 2990), {
        message: `it goes on after cut ${cut}`,
      });
    }
    await open.waitUntilSent(30_000);
    expect(distinct(open.deliveries())).toBe(3000);
    expect(inversions(open.deliveries())).toEqual([]);
    await waitFor(async () => (await open.scalar("SELECT count(*)::int FROM outbox_console.attempt")) === 0, {
      message: "no attempt was charged",
    });
  });

  test("the log says of everything that failed that it works again", async () => {
    const outage = Promise.withResolvers<void>();
    // Messages are on the way when the database goes.
    const { harness: open, proxy: line } = await startBehindProxy(async ({ index }) => {
      if (index >= 280) await outage.promise;
      return { status: 204 };
    });
    await line.refuse();
    outage.resolve();
    const lease = ["the lease cannot be renewed", "the lease is renewed again"] as const;
    const outcomes = ["outcomes cannot be written", "outcomes are written again"] as const;
    for (const [text] of [lease, outcomes])
      await waitFor(() => open.logged().includes(text), { message: `the log says ${text}` });
    // Once outcomes cannot be written nothing is read, so a read fails only if it came before.
    const read = ["the outbox cannot be read", "the outbox is read again"] as const;
    const failed = open.logged().includes(read[0]) ? [lease, outcomes, read] : [lease, outcomes];
    await line.resume();
    await open.waitUntilSent(30_000);
    for (const [, text] of failed)
      await waitFor(() => open.logged().includes(text), { message: `the log says ${text}` });
  });

  test("a network that drops all packets: publishing stops with the lease and resumes afterwards", async () => {
    const { harness: open, proxy: line } = await startBehindProxy();
    line.pause();
    let last = -1;
    const still = () => {
      const before = last;
      last = open.receiver.requests.length;
      return before === last;
    };
    await waitFor(still, { intervalMs: 500, message: "nothing is published any more" });
    await line.resume();
    await open.waitUntilSent(40_000);
    expect(distinct(open.deliveries())).toBe(3000);
    expect(inversions(open.deliveries())).toEqual([]);
  });

  test("a server that restarts in the middle of a drain", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "relay-restart-"));
    const receiver = await startHttpReceiver();
    let server = await startEmbeddedPostgres({ dataDir });
    const port = server.port;
    await migrateStoreSide(server.url);
    const admin = new pg.Pool({ connectionString: server.url });
    admin.on("error", () => undefined);
    await admin.query(OUTBOX_DDL);
    await insertEvents(admin, { count: 3000, aggregates: 30 });
    const runtime = openRelayRuntime({ databaseUrl: server.url, sinkUrl: `${receiver.url}/events` });
    const relays = await startRelays({ runtime, signal: new AbortController().signal, log: pino({ level: "silent" }) });
    try {
      await receiver.waitForRequests(300);
      await server.stop();
      server = await startEmbeddedPostgres({ dataDir, port });
      await waitFor(
        async () => {
          const { rows } = await admin.query("SELECT count(*)::int AS n FROM outbox_events WHERE published_at IS NULL");
          return rows[0].n === 0;
        },
        { timeoutMs: 40_000, message: "all are published after the restart" },
      );
      const deliveries: Delivery[] = receiver.requests.map((request) => JSON.parse(request.body.toString("utf8")));
      expect(distinct(deliveries)).toBe(3000);
      expect(inversions(deliveries)).toEqual([]);
    } finally {
      await relays.stop();
      await runtime.close();
      await admin.end();
      await server.stop();
      await receiver.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
