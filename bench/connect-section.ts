import { BrokerUnavailable } from "#tests/brokers/broker.ts";
import { ConnectUnavailable } from "#tests/connect/connect-jars.ts";
import { type ConnectWorld, openConnectWorld } from "./connect/connect-world.ts";
import { measureDrains, type RivalDrain } from "./connect/measure-drain.ts";
import type { Rival } from "./connect/rival.ts";
import { rivalsIn } from "./connect/rivals.ts";
import { micros, millis, percent, type Section, whole } from "./report.ts";
import { measureUnderLoad, WARM_UP_SECONDS } from "./scenarios/steady.ts";
import type { Bench } from "./sections.ts";

const SAME =
  "All write key, payload, id and type of an event to one topic of eight partitions. Debezium has the configuration that `npm run debezium` writes, and a Kafka Connect that is already warm, while the process of every other contender is new; its Java, like Kafka's, compiles quickly rather than well (`-XX:TieredStopAtLevel=1`, serial collector, 512 MB).";

/** Debezium on Kafka Connect compared with the relay, over one Kafka; or why it cannot be measured here. */
export async function connectSections(bench: Bench): Promise<Section[] | { unavailable: string }> {
  try {
    const world = await openConnectWorld(bench.server, (line) => void process.stderr.write(`${line}\n`));
    try {
      // First, while the topic is empty; it also warms Connect up.
      const latency = await latencySection(bench, world);
      return [await drainSection(bench, world), latency];
    } finally {
      await world.stop();
    }
  } catch (error) {
    if (error instanceof BrokerUnavailable) return { unavailable: `no Kafka: ${error.message}` };
    if (error instanceof ConnectUnavailable) return { unavailable: `no Kafka Connect: ${error.message}` };
    throw error;
  }
}

async function drainSection(bench: Bench, world: ConnectWorld): Promise<Section> {
  const figures = await measureDrains(world, rivalsIn(world), bench);
  const text = `Drain of ${whole(bench.rows)} rows of 10,000 aggregates, each committed alone, to ${world.versions}; median of ${bench.rounds}. From the contender's start (Debezium: from the moment at which it reads its slot) until the topic has every row and, where rows are marked, every row is marked. A core's rows/s are rows by the CPU seconds of the contender and Postgres together; Kafka's are beside. ${SAME}`;
  const header = [
    "contender",
    "marks rows",
    "rows/s per core",
    "µs/row",
    "of which its own",
    "Postgres'",
    "Kafka's, besides",
    "rows/s",
  ];
  return { name: "Drain beside Debezium", text, header, rows: figures.map(drainRow) };
}

function drainRow({ rival, ...one }: RivalDrain): string[] {
  const perRow = one.contenderMicros + one.postgresMicros;
  return [
    ...[rival.title, marksOf(rival), whole(1e6 / perRow), micros(perRow)],
    ...[micros(one.contenderMicros), micros(one.postgresMicros), micros(one.kafkaMicros)],
    `${whole(one.rowsPerSecond)}${one.missing === 0 ? "" : ` (${whole(one.missing)} missing)`}`,
  ];
}

async function latencySection(bench: Bench, world: ConnectWorld): Promise<Section> {
  const unfollow = await bench.load.follow(world.topic.brokers);
  const rows: string[][] = [];
  for (const rival of rivalsIn(world)) rows.push(await latencyRow(bench, rival));
  await unfollow();
  const text = `Time from acknowledged commit to receipt by a consumer of the topic at ${bench.perSecond}/s, one event per transaction: ${bench.seconds} s, measured after ${WARM_UP_SECONDS} s of the same load; ${world.versions}. Postgres' CPU includes the producers' transactions. The limit misses rows that become visible after later ones.`;
  const header = [
    "contender",
    "marks rows",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "missing",
    "its CPU, of a core",
    "Postgres' CPU",
  ];
  return { name: "Latency beside Debezium", text, header, rows };
}

async function latencyRow(bench: Bench, rival: Rival): Promise<string[]> {
  await rival.prepare();
  const { running } = await rival.begin(async () => undefined);
  const { warm, missing, relayShare, postgresShare } = await measureUnderLoad({ ...bench, running });
  await running.stop();
  return [
    ...[rival.title, marksOf(rival), millis(warm.p50), millis(warm.p95), millis(warm.p99)],
    ...[String(missing), percent(relayShare), percent(postgresShare)],
  ];
}

const marksOf = ({ marks }: Rival) => (marks ? "yes" : "no");
