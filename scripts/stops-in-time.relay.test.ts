import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { insertEvents, type RelayYaml } from "#relay/testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "#relay/testing/relay-harness.fixture.ts";
import { type RelayProcess, type RelayProgram, startRelayProcess } from "#relay/testing/relay-process.fixture.ts";
import { cdcLine, createStream, dropSlot } from "#relay/testing/stream.fixture.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { withAdmin } from "#tests/test-cluster.ts";
import { waitFor } from "#tests/wait-for.ts";

/** Far longer than the deadline, and far shorter than what keeps a process that waits for a silent line: minutes. */
const PATIENCE_MS = 60_000;
const WORKER = "scripts/worker.ts";

let harness: RelayHarness;
let database: TcpProxy;
let broker: TcpProxy;
let started: RelayProcess[];
let slot: string | null;

beforeEach(async () => {
  harness = await openHarness();
  database = await startTcpProxy({ port: Number(new URL(harness.databaseUrl).port) });
  broker = await startTcpProxy({ port: harness.receiver.port });
  started = [];
  slot = null;
});
afterEach(async () => {
  for (const each of started) {
    each.kill("SIGKILL");
    await each.exited;
  }
  await database.close();
  await broker.close();
  if (slot) await dropSlot(harness.pool, slot);
  await harness.close();
});

async function start(program: RelayProgram, settings: Partial<RelayYaml> = {}): Promise<RelayProcess> {
  const url = new URL(harness.databaseUrl);
  url.port = String(database.port);
  const sinkUrl = `http://127.0.0.1:${broker.port}/events`;
  const running = await startRelayProcess({ databaseUrl: url.toString(), sinkUrl, ...settings }, program);
  started.push(running);
  return running;
}

async function startInFlight(program: string, relay: string[]): Promise<RelayProcess> {
  harness.receiver.answerWith("hang");
  const running = await start({ program }, { relay });
  await untilState("owner", running);
  await insertEvents(harness.pool, { count: 10, aggregates: 10 });
  await harness.receiver.waitForRequests(10);
  return running;
}

function untilState(state: string, { child }: RelayProcess): Promise<unknown> {
  const found = `SELECT count(*)::int FROM outbox_console.relay_instance WHERE pid = ${child.pid} AND state = '${state}'`;
  return waitFor(async () => (await harness.scalar(found)) === 1, {
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

async function readTheLog(): Promise<string[]> {
  slot = await createStream(harness.pool);
  return ["source: cdc", cdcLine(slot)];
}

const hang = (...lines: TcpProxy[]) => {
  for (const line of lines) line.pause();
};
const drop = () =>
  withAdmin(inject("postgresAdminUrl"), (admin) =>
    admin.query(`DROP DATABASE "${new URL(harness.databaseUrl).pathname.slice(1)}" WITH (FORCE)`),
  );

const DATABASE_FAULTS = [
  { fault: "a database that hangs", inflict: () => hang(database) },
  { fault: "a database whose answers are lost", inflict: () => database.swallowAnswers() },
  { fault: "a database that refuses connections", inflict: () => database.refuse() },
  { fault: "a database that was dropped", inflict: drop },
  { fault: "database and broker that hang", inflict: () => hang(database, broker) },
  { fault: "database and broker that are gone", inflict: () => Promise.all([database.refuse(), broker.refuse()]) },
  { fault: "the log and a database that hangs", relay: readTheLog, inflict: () => hang(database) },
  { fault: "the log and a database that refuses", relay: readTheLog, inflict: () => database.refuse() },
  { fault: "hints and a database that hangs", relay: async () => ["notify: hints"], inflict: () => hang(database) },
  { fault: "no monitor and a database that hangs", program: "relay/main.ts", inflict: () => hang(database) },
];

describe("asked to stop with messages in flight", { timeout: 240_000 }, () => {
  test.each(DATABASE_FAULTS)(
    "$fault: ends by itself and says what is left undone",
    async ({ program = WORKER, relay = async () => [], inflict }) => {
      const running = await startInFlight(program, await relay());
      await inflict();
      running.kill("SIGTERM");
      const { code, lastLine } = await untilEnded(running);
      expect(lastLine).toMatch(/left undone: outbox orders: its lease is not handed over, with 10 claimed messages/);
      expect(code).toBe(1);
    },
  );

  test.each([
    { fault: "hangs", inflict: () => hang(broker) },
    { fault: "is gone", inflict: () => broker.refuse() },
  ])("a broker that $fault: everything is given back and nothing left undone", async ({ inflict }) => {
    const running = await startInFlight(WORKER, []);
    await inflict();
    running.kill("SIGTERM");
    const { code, lastLine } = await untilEnded(running);
    expect(lastLine).toContain('"stopped"');
    expect(code).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
  });

  test.each([
    { signal: "SIGTERM", expected: 143 },
    { signal: "SIGINT", expected: 130 },
  ] as const)("a second wish by $signal ends it at once", async ({ signal, expected }) => {
    const running = await startInFlight(WORKER, []);
    hang(database, broker);
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
  test("a relay that stands by over a database that hangs ends by itself", async () => {
    const relay = await readTheLog();
    await untilState("owner", await start({}, { relay }));
    const second = await start({ program: WORKER }, { relay });
    await untilState("standby", second);
    hang(database);
    second.kill("SIGTERM");
    expect((await untilEnded(second)).lastLine).not.toContain("orders");
  });

  test.each([
    { from: "its start", program: WORKER },
    { from: "its start, while it migrates", program: WORKER, lines: ["autoMigrate: true"] },
    { from: "its start", program: "relay/main.ts" },
    { from: "its start", program: "monitor/main.ts" },
  ])("$program over a database that hangs from $from ends by itself", async (program) => {
    hang(database);
    const running = await start(program);
    await waitFor(() => database.connectionCount() > 0, { timeoutMs: PATIENCE_MS, message: "it connects" });
    running.kill("SIGTERM");
    expect((await untilEnded(running)).code).not.toBeNull();
  });

  test.each([
    { kind: "rabbitmq", at: (port: number) => `url: "amqp://127.0.0.1:${port}"` },
    { kind: "nats", at: (port: number) => `servers: ["nats://127.0.0.1:${port}"]` },
    { kind: "redis", at: (port: number) => `url: "redis://127.0.0.1:${port}"` },
    { kind: "kafka", at: (port: number) => `brokers: ["127.0.0.1:${port}"]` },
  ])("a worker that connects to a $kind broker that hangs ends by itself", async ({ kind, at }) => {
    hang(broker);
    // Kafka is connected to when there is something to publish.
    await insertEvents(harness.pool, { count: 1 });
    const running = await start({ program: WORKER }, { sink: `kind: ${kind}, ${at(broker.port)}` });
    await waitFor(() => broker.connectionCount() > 0, { timeoutMs: PATIENCE_MS, message: "it connects" });
    running.kill("SIGTERM");
    expect((await untilEnded(running)).code).not.toBeNull();
  });
});
