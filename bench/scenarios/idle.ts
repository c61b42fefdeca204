import { setTimeout as delay } from "node:timers/promises";
import { makeTable, type TableContents } from "#tests/outbox-table.ts";
import type { ContenderName } from "../contenders/contender.ts";
import { loadContender } from "../contenders/run-contender.ts";
import type { BenchServer } from "../server.ts";

/** Time until a relay that has just started has read all rows, and polls as rarely as it does when idle. */
const SETTLE_MS = 15_000;

export interface IdleFigures {
  contender: ContenderName;
  /** Share of one core. */
  relayShare: number;
  postgresShare: number;
  transactionsPerSecond: number;
}

/** Cost of a relay while nothing happens. */
export async function measureIdle(input: {
  server: BenchServer;
  contender: ContenderName;
  contents: TableContents;
  seconds: number;
}): Promise<IdleFigures> {
  const { server, contender, contents, seconds } = input;
  await makeTable(server.client, contents);
  const loaded = await loadContender({ name: contender, url: server.url, target: { kind: "noop", url: "" } });
  const running = await loaded.start();
  await delay(SETTLE_MS);
  const before = await reading(server);
  const cpuBefore = await running.cpuMicros();
  await delay(seconds * 1000);
  const after = await reading(server);
  const relay = (await running.cpuMicros()) - cpuBefore;
  await running.stop();
  const elapsedSeconds = (after.atMs - before.atMs) / 1000;
  return {
    contender,
    relayShare: relay / 1e6 / elapsedSeconds,
    postgresShare: (after.cpuMicros - before.cpuMicros) / 1e6 / elapsedSeconds,
    transactionsPerSecond: (after.transactions - before.transactions) / elapsedSeconds,
  };
}

/** Other sessions' counts reach the statistics at most one second late. */
async function reading(server: BenchServer): Promise<{ atMs: number; cpuMicros: number; transactions: number }> {
  await delay(1500);
  const { rows } = await server.client.query(
    "SELECT pg_stat_clear_snapshot(), (xact_commit + xact_rollback)::int AS transactions FROM pg_stat_database WHERE datname = current_database()",
  );
  return { atMs: performance.now(), cpuMicros: await server.cpuMicros(), transactions: rows[0].transactions };
}
