import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { CauseCode } from "#domain/diagnosis/words.ts";
import { actOnConnector } from "#services/connect/act-on-connector.ts";
import { getConnector } from "#services/connect/get-connector.ts";
import { examineOutbox } from "#services/outboxes/take-snapshot.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { ConnectUnavailable, findConnect, TESTED_PLUGINS } from "#tests/connect/connect-jars.ts";
import { ADMIN, contextOf } from "#tests/factories/runtime.ts";
import { longerTest } from "#tests/longer-test.ts";
import { MYSQL_FLAVORS, type MysqlFlavor, MysqlUnavailable } from "#tests/mysql-servers/server-program.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type ConnectWorld, openConnectWorld, SLOT } from "./connect-world.fixture.ts";
import { type MysqlWorld, openMysqlWorld } from "./mysql-world.fixture.ts";
import { postgresOutbox } from "./produced-outboxes.ts";
import { startProducers } from "./producers.ts";
import { type FollowedTopic, followTopic, judge } from "./read-topic.ts";

const PRODUCERS = { producers: 4, perSecond: 60, bytes: 100 };

/** Uses the real Kafka Connect and Debezium; the other tests use doubles of both. */
describe("a real connector", { timeout: 300_000 }, () => {
  const kafka = testBroker("kafka");
  interface Opened {
    world: ConnectWorld;
    topic: FollowedTopic;
    /** Opened while the tests of Postgres run. */
    others: Record<MysqlFlavor, Other>;
  }
  type Other = Promise<{ world: MysqlWorld; topic: FollowedTopic } | { unavailable: string }>;
  let opened: Opened | { unavailable: string } | null = null;
  const w = () => {
    if (opened === null || "unavailable" in opened) throw new Error("There is no Kafka Connect.");
    return opened;
  };

  beforeEach(async ({ skip }) => {
    opened ??= await open();
    if ("unavailable" in opened) skip(`no Kafka Connect: ${opened.unavailable}`);
  }, 300_000);
  afterAll(async () => {
    if (opened === null || "unavailable" in opened) return;
    for (const other of await Promise.all(Object.values(opened.others))) {
      if ("unavailable" in other) continue;
      await other.topic.close();
      await other.world.close();
    }
    await opened.topic.close();
    await opened.world.close();
  });

  async function open(): Promise<NonNullable<typeof opened>> {
    try {
      const brokers = kafka().addresses;
      const world = await openConnectWorld(brokers, await findConnect(TESTED_PLUGINS));
      const others = { mysql: openOther("mysql", brokers, world), mariadb: openOther("mariadb", brokers, world) };
      // The test that needs it reports the reason.
      for (const other of Object.values(others)) other.catch(() => undefined);
      return { world, topic: await followTopic(brokers, world.topic), others };
    } catch (error) {
      if (error instanceof ConnectUnavailable) return { unavailable: error.message };
      throw error;
    }
  }

  async function openOther(flavor: MysqlFlavor, brokers: string[], postgres: ConnectWorld): Other {
    if (!EVERYTHING) return { unavailable: "no test needs it" };
    try {
      const world = await openMysqlWorld(flavor, brokers, postgres);
      return { world, topic: await followTopic(brokers, world.topic) };
    } catch (error) {
      if (error instanceof MysqlUnavailable) return { unavailable: error.message };
      throw error;
    }
  }

  const more = (count: number, who: string, topic = w().topic) => {
    const before = topic.arrived.length;
    return waitFor(() => topic.arrived.length >= before + count, { timeoutMs: 120_000, message: `${who} publishes` });
  };
  const write = (prefix: string) => {
    const { world } = w();
    const { pool, aggregateType } = world;
    return startProducers(postgresOutbox(pool), { ...PRODUCERS, aggregateType, prefix });
  };
  const verdictOf = async (
    prefix: string,
    committed: number,
    { world, topic }: { world: Pick<ConnectWorld, "unsent">; topic: FollowedTopic } = w(),
  ) => {
    await waitFor(async () => (await world.unsent()) === 0, { message: "all are marked" });
    await topic.untilEnd();
    return judge(
      topic.arrived.filter(({ aggregate }) => aggregate.startsWith(prefix)),
      committed,
    );
  };

  test("it is paused, resumed and restarted from here; what it and its tasks say is shown", async () => {
    const { world, topic } = w();
    const { pool, aggregateType } = world;
    await pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [SLOT]);
    await world.createConnector();
    const runtime = await world.runtime("connector");
    const ctx = contextOf(runtime, ADMIN);
    const outbox = "orders";
    const act = (request: Parameters<typeof actOnConnector>[0]["request"]) => actOnConnector({ ctx, outbox, request });
    const examined = () => examineOutbox({ runtime, outbox });
    const until = <Seen>(what: (found: Awaited<ReturnType<typeof examined>>) => Seen | undefined, message: string) =>
      waitFor(async () => what(await examined()), { timeoutMs: 120_000, message });
    const cause = (sentence: RegExp) =>
      until(({ causes }) => causes.find((found) => sentence.test(found.sentence)), `a cause says ${sentence}`);
    const judged: CauseCode[] = ["connector", "connector_slot", "second_publisher"];
    const healthy = () =>
      until(
        ({ causes, unread }) => causes.length === 0 && !judged.some((rule) => unread.includes(rule)),
        "nothing is wrong, and all was read",
      );
    const task = async () => (await getConnector({ runtime, outbox })).tasks[0]?.state;
    const isRunning = () => waitFor(async () => (await task()) === "RUNNING", { message: "its task runs" });
    await isRunning();
    await healthy();

    await act({ act: "pause", reason: "INC-1" });
    await pool.query("CREATE TABLE bulk AS SELECT repeat('x', 200) AS filler FROM generate_series(1, 20000)");
    await pool.query(
      "INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) VALUES ($1, 'late0', 'x', '{\"aggregate\": \"late0\", \"n\": 0}')",
      [aggregateType],
    );
    const paused = await cause(/is paused since .*; its slot keeps [\d.]+ MB of log/);
    expect(paused).toMatchObject({ rule: "connector", word: "paused", severity: "warn" });
    // By the server's own state the slot is healthy.
    expect((await getConnector({ runtime, outbox })).slot).toMatchObject({ found: true, active: true });
    await act({ act: "resume", reason: "INC-1" });
    await isRunning();

    await pool.query("ALTER ROLE debezium PASSWORD 'another'");
    await act({ act: "restart", reason: "INC-2" });
    const failed = await cause(/^task 0 of the connector orders-connector failed: /);
    const shown = await getConnector({ runtime, outbox });
    expect(shown.tasks[0]?.trace).toContain("password authentication failed");
    expect(JSON.stringify([failed, shown])).not.toContain(world.password);
    await pool.query(`ALTER ROLE debezium PASSWORD '${world.password}'`);
    await act({ act: "restart_task", task: 0, reason: "INC-2" });
    await isRunning();
    await waitFor(() => topic.arrived.some(({ aggregate }) => aggregate === "late0"), { message: "it goes on" });
    await healthy();

    // Under another host name, so that only the database's own list of sessions shows it.
    const config = { "slot.name": "rival_slot", "database.hostname": "localhost", "topic.prefix": "rival" };
    await world.createConnector({ name: "rival", config: { ...config, "heartbeat.interval.ms": "0" } });
    const rival = await cause(/also gets the rows of this table, by the slot rival_slot/);
    expect(rival).toMatchObject({ rule: "second_publisher", severity: "warn" });
    expect(rival.sentence).toMatch(/^Debezium Streaming \(pid \d+\)/);
    await world.removeConnector("rival", "rival_slot");
    await world.change("to-relay");
    await world.removeConnector();
  });

  test("from our relay to it and back while producers write: nothing is lost, repeated or out of order", async () => {
    const { world } = w();
    const producers = write("clean");
    const first = await world.startRelay();
    await more(100, "the relay");
    await world.change("from-relay");
    await first.stop();
    await world.createConnector();
    await more(150, "the connector");
    await world.change("to-relay");
    await world.removeConnector();
    const second = await world.startRelay();
    await more(100, "the relay");
    await producers.stop();
    expect(await verdictOf("clean", producers.committed())).toEqual({ lost: 0, repeated: 0, inverted: 0 });
    await second.stop();
  });

  for (const flavor of MYSQL_FLAVORS)
    longerTest(`the same on ${flavor}, where Kafka Connect keeps the place`, async ({ skip }) => {
      const other = await w().others[flavor];
      if ("unavailable" in other) return skip(`no ${flavor}: ${other.unavailable}`);
      const { world, topic } = other;
      const { outbox, aggregateType } = world;
      const producers = startProducers(outbox, { ...PRODUCERS, aggregateType, prefix: "clean" });
      const first = await world.startRelay();
      await more(100, "the relay", topic);
      const printed: string[] = [];
      await world.change("from-relay", (line) => printed.push(line));
      await first.stop();
      await world.createConnector(printed.join("\n"));
      await more(150, "the connector", topic);
      // What the console shows meanwhile, of the real connector.
      const seen = { runtime: await world.runtime("connector"), outbox: world.name };
      expect(await getConnector(seen)).toMatchObject({ state: "RUNNING", problem: null, slot: null });
      expect((await examineOutbox(seen)).causes).toEqual([]);
      await world.change("to-relay");
      // The connector is stopped, so Connect has stored its offset.
      expect((await getConnector({ ...seen, runtime: await world.runtime("connector") })).offset?.position).toMatch(
        /^binlog\.\d{6}:\d+$/,
      );
      await world.removeConnector();
      const second = await world.startRelay();
      await more(100, "the relay", topic);
      await producers.stop();
      expect(await verdictOf("clean", producers.committed(), other)).toEqual({ lost: 0, repeated: 0, inverted: 0 });
      await second.stop();
    });

  longerTest(
    "Kafka Connect is killed while it publishes: the way back waits for it, loses nothing, and repeats only what its offset did not have",
    async () => {
      const { world, topic } = w();
      const { connect, pool } = world;
      await pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [SLOT]);
      const producers = write("killed");
      await world.createConnector();
      await more(100, "the connector");
      await connect.kill();
      const before = topic.arrived.length;
      await expect(world.change("to-relay")).rejects.toThrow(/cannot be reached/);
      await connect.start();
      await world.createConnector();
      await more(50, "the connector");
      await world.change("to-relay");
      await world.removeConnector();
      const relay = await world.startRelay();
      await more(50, "the relay");
      await producers.stop();
      const verdict = await verdictOf("killed", producers.committed());
      expect(verdict).toMatchObject({ lost: 0, inverted: 0 });
      expect(verdict.repeated).toBeLessThanOrEqual(before);
      await relay.stop();
    },
  );
});
