import { setTimeout as delay } from "node:timers/promises";
import { addPendingOneByOne, hasUnsent } from "#tests/outbox-table.ts";
import type { ConnectWorld } from "./connect-world.ts";
import type { Rival } from "./rival.ts";

const LIMIT_MS = 180_000;
const LOOK_MS = 20;

export interface RivalDrain {
  rival: Rival;
  rowsPerSecond: number;
  /** CPU time per row, µs. */
  contenderMicros: number;
  postgresMicros: number;
  kafkaMicros: number;
  /** Rows that are missing in the topic when the time is up. */
  missing: number;
}

/**
 * Measures until the topic has all rows and, if the contender marks rows, all are marked. Contenders alternate, so that
 * a disturbance affects all of them; the median round counts.
 */
export async function measureDrains(
  world: ConnectWorld,
  rivals: readonly Rival[],
  { rows, rounds }: { rows: number; rounds: number },
): Promise<RivalDrain[]> {
  const figures = new Map<Rival, RivalDrain[]>(rivals.map((rival) => [rival, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [rival, found] of figures) found.push(await drainOnce(world, rival, rows));
  return [...figures.values()].map(median);
}

async function drainOnce(world: ConnectWorld, rival: Rival, rows: number): Promise<RivalDrain> {
  const { server, topic } = world;
  await rival.prepare();
  await addPendingOneByOne(server.client, rows);
  const ends = await topic.ends();
  const read = async () => ({
    postgres: await server.cpuMicros(),
    kafka: await world.kafkaMicros(),
    atMs: performance.now(),
  });
  const { before, running } = await rival.begin(read);
  const isDone = async () =>
    (await topic.countSince(ends)) >= rows && (!rival.marks || !(await hasUnsent(server.client)));
  while (!(await isDone()) && performance.now() - before.atMs < LIMIT_MS) await delay(LOOK_MS);
  const elapsedMs = performance.now() - before.atMs;
  const contender = await running.cpuMicros();
  const after = await read();
  await running.stop();
  const done = await topic.countDistinctSince(ends);
  return {
    rival,
    rowsPerSecond: (done / elapsedMs) * 1000,
    contenderMicros: contender / done,
    postgresMicros: (after.postgres - before.postgres) / done,
    kafkaMicros: (after.kafka - before.kafka) / done,
    missing: rows - done,
  };
}

function median(figures: readonly RivalDrain[]): RivalDrain {
  const sorted = [...figures].sort((left, right) => left.rowsPerSecond - right.rowsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("A drain needs at least one round.");
  return middle;
}
