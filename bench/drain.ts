import type { Client } from "pg";
import type { Contender } from "./contender.ts";
import { countUnsent, makeTable } from "./outbox-table.ts";
import type { DrainFigures } from "./report.ts";

const LIMIT_MS = 120_000;

interface DrainInput {
  client: Client;
  url: string;
  sink: string;
  sinkUrl: string | null;
  rows: number;
  rounds: number;
  contenders: Contender[];
}

/** Rows a second until the last row is marked. Contenders take turns, so that a disturbed minute hits all of them. */
export async function measureDrain(input: DrainInput): Promise<DrainFigures[]> {
  const runs = new Map<Contender, number[]>(input.contenders.map((contender) => [contender, []]));
  for (let round = 0; round < input.rounds; round += 1) {
    for (const [contender, rates] of runs) {
      await makeTable(input.client, input.rows);
      rates.push(await drainOnce(input, contender));
    }
  }
  return [...runs].map(([{ name }, rates]) => ({ sink: input.sink, contender: name, rowsPerSecond: median(rates) }));
}

async function drainOnce({ client, url, sinkUrl, rows }: DrainInput, contender: Contender): Promise<number> {
  const startedMs = performance.now();
  const running = await contender.start({ url, sinkUrl });
  let unsent = rows;
  while (unsent > 0 && performance.now() - startedMs < LIMIT_MS) {
    // Each count reads what is still pending: often at the end, where it decides, and rarely while there is much.
    await new Promise((resolve) => setTimeout(resolve, Math.min(250, Math.max(5, unsent / 400))));
    unsent = await countUnsent(client);
  }
  const elapsedMs = performance.now() - startedMs;
  await running.stop();
  return ((rows - unsent) / elapsedMs) * 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
