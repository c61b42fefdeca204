import { makeTable } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { CONTENDERS, type ContenderName } from "../contenders/contender.ts";
import { makeStream } from "../contenders/make-stream.ts";
import { loadContender } from "../contenders/run-contender.ts";
import type { BenchServer } from "../server.ts";
import type { ConnectWorld } from "./connect-world.ts";
import { beginDebezium, forgetDebezium, prepareDebezium } from "./debezium.ts";
import type { Rival } from "./rival.ts";

export function rivalsIn(world: ConnectWorld): Rival[] {
  return [
    ours(world, "limit", { marks: true, byLog: false }),
    ours(world, "connect-relay", { marks: true, byLog: false }),
    ours(world, "connect-relay-cdc", { marks: true, byLog: true }),
    ours(world, "connect-relay-unmarked", { marks: false, byLog: true }),
    debezium(world, "Debezium, `poll.interval.ms: 500`", { "poll.interval.ms": "500" }),
    // The settings that docs/debezium.md recommends where latency matters.
    debezium(world, "Debezium, `poll.interval.ms: 10`, `linger.ms: 0`", {
      "poll.interval.ms": "10",
      "producer.override.linger.ms": "0",
    }),
  ];
}

function ours(
  { server, topic }: ConnectWorld,
  name: ContenderName,
  { marks, byLog }: { marks: boolean; byLog: boolean },
): Rival {
  return {
    ...{ title: CONTENDERS[name], marks },
    async prepare() {
      await clear(server);
      await makeTable(server.client);
      if (byLog) await makeStream(server.url);
    },
    async begin(read) {
      const target = { kind: "kafka", url: topic.brokers.join(",") } as const;
      const loaded = await loadContender({ name, url: server.url, target });
      const before = await read();
      return { before, running: await loaded.start() };
    },
  };
}

function debezium({ server, connect }: ConnectWorld, title: string, settings: Record<string, string>): Rival {
  const { client, url } = server;
  return {
    ...{ title, marks: false },
    async prepare() {
      await clear(server);
      await makeTable(client);
      await prepareDebezium(client, url);
    },
    begin: (read) => beginDebezium({ client, connect, url }, settings, read),
  };
}

/**
 * Drops the previous contender's slot, which would retain log; retries, as the server may notice late that its reader
 * is gone.
 */
async function clear({ client }: BenchServer): Promise<void> {
  const drop = () => client.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
  await waitFor(drop, { message: "the slots are dropped" });
  await forgetDebezium(client);
}
