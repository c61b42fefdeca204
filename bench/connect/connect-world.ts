import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBroker } from "#tests/brokers/start-broker.ts";
import { findConnect } from "#tests/connect/connect-jars.ts";
import { type ConnectProcess, startConnect } from "#tests/connect/connect-process.ts";
import type { BenchServer } from "../server.ts";
import { cpuMicrosOf } from "../server-cpu.ts";
import { type BenchTopic, makeBenchTopic } from "./bench-topic.ts";
import { HEARTBEATS, PASSWORD } from "./debezium.ts";

/** The benchmark's Postgres with a Kafka and a Kafka Connect, both private to the benchmark. */
export interface ConnectWorld {
  server: BenchServer;
  topic: BenchTopic;
  connect: ConnectProcess;
  /** Shown: products and versions. */
  versions: string;
  /** CPU time of Kafka, µs; NaN if it runs in a container. */
  kafkaMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** Throws BrokerUnavailable or ConnectUnavailable. */
export async function openConnectWorld(server: BenchServer, say: (line: string) => void): Promise<ConnectWorld> {
  const jars = await findConnect(["postgres"], say);
  const folder = await mkdtemp(join(tmpdir(), "outbox-console-bench-connect-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closing.toReversed()) await close();
  };
  try {
    const broker = await startBroker("kafka", { onProgress: say });
    closing.push(() => broker.remove());
    const topic = await makeBenchTopic(broker.addresses, [HEARTBEATS]);
    closing.push(() => topic.close());
    const connect = await startConnect({ jars, folder, brokers: broker.addresses, password: PASSWORD });
    closing.push(() => connect.kill());
    const versions = `Kafka ${broker.version ?? "of unknown version"}, ${jars.versions}`;
    const kafkaMicros = () => cpuMicrosOf(broker.pid() ?? Number.NaN);
    return { server, topic, connect, versions, kafkaMicros, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
