import { setTimeout as delay } from "node:timers/promises";
import type { BenchTable } from "#tests/outbox-table.ts";
import type { ContenderName } from "../contenders/contender.ts";
import { loadContender } from "../contenders/run-contender.ts";
import type { BenchServer } from "../server.ts";
import type { Target } from "../target.ts";

const LIMIT_MS = 120_000;
const LOOK_MS = 20;
/** Long enough to measure the rows per second of a slow loop. */
const TUTORIAL_LIMIT_MS = 8000;

export interface DrainInput {
  server: Pick<BenchServer, "url" | "cpuMicros">;
  table: BenchTable;
  target: Target;
  rounds: number;
  contenders: { name: ContenderName; instances?: number }[];
  /** Adds messages to publish before each run; some of an earlier run may still wait. */
  prepare(): Promise<unknown>;
}

export interface DrainFigures {
  contender: ContenderName;
  instances: number;
  rowsPerSecond: number;
  /** CPU time per row, µs. */
  relayMicros: number;
  serverMicros: number;
  /** Messages left unpublished when the time was up. */
  left: number;
}

/** Rows per second until the last row is marked. Contenders alternate, so that a disturbance affects all of them. */
export async function measureDrain(input: DrainInput): Promise<DrainFigures[]> {
  const runs = input.contenders.map((contender) => ({ contender, figures: [] as DrainFigures[] }));
  for (let round = 0; round < input.rounds; round += 1) {
    for (const { contender, figures } of runs) {
      await input.prepare();
      figures.push(await drainOnce(input, contender.name, contender.instances ?? 1));
    }
  }
  return runs.map(({ figures }) => median(figures));
}

async function drainOnce(
  { server, table, target }: DrainInput,
  name: ContenderName,
  instances: number,
): Promise<DrainFigures> {
  const waiting = await table.countUnsent();
  const loaded = await loadContender({ name, url: server.url, target, instances });
  const limitMs = name.endsWith("tutorial") ? TUTORIAL_LIMIT_MS : LIMIT_MS;
  const serverBefore = await server.cpuMicros();
  const startedMs = performance.now();
  const running = await loaded.start();
  while ((await table.hasUnsent()) && performance.now() - startedMs < limitMs) await delay(LOOK_MS);
  const elapsedMs = performance.now() - startedMs;
  const left = await table.countUnsent();
  const done = waiting - left;
  const figures = {
    contender: name,
    instances,
    rowsPerSecond: (done / elapsedMs) * 1000,
    relayMicros: (await running.cpuMicros()) / done,
    serverMicros: ((await server.cpuMicros()) - serverBefore) / done,
    left,
  };
  await running.stop();
  return figures;
}

function median(figures: readonly DrainFigures[]): DrainFigures {
  const sorted = [...figures].sort((left, right) => left.rowsPerSecond - right.rowsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("A drain needs at least one round.");
  return middle;
}
