import { test as base, describe, expect } from "vitest";
import { insertEvents, type RelayYaml } from "#relay/testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "#relay/testing/relay-harness.fixture.ts";
import { type RelayProcess, type RelayProgram, startRelayProcess } from "#relay/testing/relay-process.fixture.ts";
import { cdcLine, createStream, dropSlot } from "#relay/testing/stream.fixture.ts";
import { postgresAdminUrl } from "#tests/postgres-release.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { withAdmin } from "#tests/test-cluster.ts";
import { variants } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";

/**
 * Far longer than the deadline, and far shorter than the minutes for which a silent connection keeps a process alive.
 */
const PATIENCE_MS = 60_000;
const WORKER = "scripts/worker.ts";

/** One program, with lines to its database and its broker that the test can break. */
interface Scene {
  harness: RelayHarness;
  database: TcpProxy;
  broker: TcpProxy;
  start(program: RelayProgram, settings?: Partial<RelayYaml>): Promise<RelayProcess>;
  /** The lines of a relay that reads a slot, which is dropped after the test. */
  readTheLog(): Promise<string[]>;
  close(): Promise<void>;
}

async function openScene(): Promise<Scene> {
  const harness = await openHarness();
  const database = await startTcpProxy({ port: Number(new URL(harness.databaseUrl).port) });
  const broker = await startTcpProxy({ port: harness.receiver.port });
  const started: RelayProcess[] = [];
  let slot: string | null = null;
  return {
    harness,
    database,
    broker,
    async start(program, settings = {}) {
      const url = new URL(harness.databaseUrl);
      url.port = String(database.port);
      const sinkUrl = `http://127.0.0.1:${broker.port}/events`;
      const running = await startRelayProcess({ databaseUrl: url.toString(), sinkUrl, ...settings }, program);
      started.push(running);
      return running;
    },
    async readTheLog() {
      slot ??= await createStream(harness.pool);
      return ["source: cdc", cdcLine(slot)];
    },
    async close() {
      for (const each of started) {
        each.kill("SIGKILL");
        await each.exited;
      }
      await database.close();
      await broker.close();
      if (slot) await dropSlot(harness.pool, slot);
      await harness.close();
    },
  };
}

/** The tests of this file mostly wait, so they run concurrently, each in a separate scene. */
const test = base.extend<{ scene: Scene }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
  scene: async ({}, use) => {
    const scene = await openScene();
    try {
      await use(scene);
    } finally {
      await scene.close();
    }
  },
});

async function startInFlight({ harness, start }: Scene, program: string, relay: string[]): Promise<RelayProcess> {
  harness.receiver.answerWith("hang");
  const running = await start({ program }, { relay });
  await untilState(harness, "owner", running);
  await insertEvents(harness.pool, { count: 10, aggregates: 10 });
  await harness.receiver.waitForRequests(10);
  return running;
}

function untilState({ scalar }: RelayHarness, state: string, { child }: RelayProcess): Promise<unknown> {
  const found = `SELECT count(*)::int FROM outbox_console.relay_instance WHERE pid = ${child.pid} AND state = '${state}'`;
  return waitFor(async () => (await scalar(found)) === 1, {
    timeoutMs: PATIENCE_MS,
    message: `the relay's state is ${state}`,
  });
}

const hasEnded = ({ child }: RelayProcess) => child.exitCode !== null || child.signalCode !== null;

/** Its exit code and the last line of its log. */
async function untilEnded(running: RelayProcess): Promise<{ code: number | null; lastLine: string }> {
  await waitFor(() => hasEnded(running), { timeoutMs: PATIENCE_MS, message: "the process has ended" });
  await running.exited;
  return { code: running.child.exitCode, lastLine: running.log().trimEnd().split("\n").at(-1) ?? "" };
}

const hang = (...lines: TcpProxy[]) => {
  for (const line of lines) line.pause();
};
const drop = ({ harness }: Scene) =>
  withAdmin(postgresAdminUrl(), (admin) =>
    admin.query(`DROP DATABASE "${new URL(harness.databaseUrl).pathname.slice(1)}" WITH (FORCE)`),
  );

interface Fault {
  fault: string;
  program?: string;
  relay?: (scene: Scene) => Promise<string[]>;
  inflict: (scene: Scene) => unknown;
}

const DATABASE_FAULTS = variants<Fault>(
  [
    { fault: "a database whose answers are lost", inflict: ({ database }) => database.swallowAnswers() },
    { fault: "database and broker that hang", inflict: ({ database, broker }) => hang(database, broker) },
    {
      fault: "the log and a database that hangs",
      relay: (scene) => scene.readTheLog(),
      inflict: ({ database }) => hang(database),
    },
    {
      fault: "no monitor and a database that refuses connections",
      program: "relay/main.ts",
      inflict: ({ database }) => database.refuse(),
    },
  ],
  [
    { fault: "a database that was dropped", inflict: drop },
    {
      fault: "hints and a database that hangs",
      relay: async () => ["notify: hints"],
      inflict: ({ database }) => hang(database),
    },
    { fault: "a database that hangs", inflict: ({ database }) => hang(database) },
    { fault: "a database that refuses connections", inflict: ({ database }) => database.refuse() },
    {
      fault: "database and broker that are gone",
      inflict: ({ database, broker }) => Promise.all([database.refuse(), broker.refuse()]),
    },
    {
      fault: "the log and a database that refuses",
      relay: (scene) => scene.readTheLog(),
      inflict: ({ database }) => database.refuse(),
    },
    {
      fault: "no monitor and a database that hangs",
      program: "relay/main.ts",
      inflict: ({ database }) => hang(database),
    },
  ],
);

describe("asked to stop with messages in flight", { timeout: 240_000 }, () => {
  test.concurrent.for(DATABASE_FAULTS)(
    "$fault: ends by itself and says what is left undone",
    async (one, { scene }) => {
      const running = await startInFlight(scene, one.program ?? WORKER, (await one.relay?.(scene)) ?? []);
      await one.inflict(scene);
      running.kill("SIGTERM");
      const { code, lastLine } = await untilEnded(running);
      expect(lastLine).toMatch(/left undone: outbox orders: its lease is not released, with 10 claimed messages/);
      expect(code).toBe(1);
    },
  );

  test.concurrent.for([
    { fault: "hangs", inflict: ({ broker }: Scene) => hang(broker) },
    { fault: "is gone", inflict: ({ broker }: Scene) => broker.refuse() },
  ])("a broker that $fault: everything is given back and nothing left undone", async ({ inflict }, { scene }) => {
    const running = await startInFlight(scene, WORKER, []);
    await inflict(scene);
    running.kill("SIGTERM");
    const { code, lastLine } = await untilEnded(running);
    expect(lastLine).toContain('"stopped"');
    expect(code).toBe(0);
    expect(await scene.harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
  });

  test.concurrent.for([
    { signal: "SIGTERM", expected: 143 },
    { signal: "SIGINT", expected: 130 },
  ] as const)("a second wish by $signal ends it at once", async ({ signal, expected }, { scene }) => {
    const running = await startInFlight(scene, WORKER, []);
    hang(scene.database, scene.broker);
    running.kill("SIGTERM");
    await waitFor(() => running.log().includes('"stopping"'), { message: "it stops" });
    const wishAgain = () => {
      running.kill(signal);
      return hasEnded(running);
    };
    await waitFor(wishAgain, { timeoutMs: PATIENCE_MS, message: "the process has ended" });
    const { code, lastLine } = await untilEnded(running);
    expect(lastLine).toContain(`ended at once by ${signal}; left undone: outbox orders`);
    expect(code).toBe(expected);
  });
});

describe("asked to stop before anything is in flight", { timeout: 240_000 }, () => {
  test.concurrent("a standby relay over a hanging database exits without help", async ({ scene }) => {
    const { harness, start } = scene;
    const relay = await scene.readTheLog();
    await untilState(harness, "owner", await start({}, { relay }));
    const second = await start({ program: WORKER }, { relay });
    await untilState(harness, "standby", second);
    hang(scene.database);
    second.kill("SIGTERM");
    expect((await untilEnded(second)).lastLine).not.toContain("orders");
  });

  test.concurrent.for(
    variants<{ from: string; program: string; lines?: string[] }>(
      [
        { from: "its start, while it migrates", program: WORKER, lines: ["autoMigrate: true"] },
        { from: "its start", program: "monitor/main.ts" },
      ],
      [
        { from: "its start", program: WORKER },
        { from: "its start", program: "relay/main.ts" },
      ],
    ),
  )(
    "$program over a database that hangs from $from ends by itself",
    async (program, { scene: { database, start } }) => {
      hang(database);
      const running = await start(program);
      await waitFor(() => database.connectionCount() > 0, { timeoutMs: PATIENCE_MS, message: "it connects" });
      running.kill("SIGTERM");
      expect((await untilEnded(running)).code).not.toBeNull();
    },
  );

  test.concurrent.for([
    { kind: "rabbitmq", at: (port: number) => `url: "amqp://127.0.0.1:${port}"` },
    { kind: "nats", at: (port: number) => `servers: ["nats://127.0.0.1:${port}"]` },
    { kind: "redis", at: (port: number) => `url: "redis://127.0.0.1:${port}"` },
    { kind: "kafka", at: (port: number) => `brokers: ["127.0.0.1:${port}"]` },
  ])(
    "a worker that connects to a $kind broker that hangs ends by itself",
    async ({ kind, at }, { scene: { harness, broker, start } }) => {
      hang(broker);
      // Kafka is connected to on the first publish.
      await insertEvents(harness.pool, { count: 1 });
      const running = await start({ program: WORKER }, { sink: `kind: ${kind}, ${at(broker.port)}` });
      await waitFor(() => broker.connectionCount() > 0, { timeoutMs: PATIENCE_MS, message: "it connects" });
      running.kill("SIGTERM");
      expect((await untilEnded(running)).code).not.toBeNull();
    },
  );
});
