import type { Client } from "pg";
import type { Contender } from "./contender.ts";
import type { Load } from "./load.ts";
import { makeTable } from "./outbox-table.ts";
import type { SteadyFigures } from "./report.ts";

interface SteadyInput {
  client: Client;
  url: string;
  load: Load;
  contender: Contender;
  perSecond: number;
  seconds: number;
}

/** Commit acknowledged to receipt, on one clock, over http, on a table that begins empty and unanalysed. */
export async function measureSteady(input: SteadyInput): Promise<SteadyFigures> {
  const { client, url, load, contender, perSecond, seconds } = input;
  await makeTable(client, 0);
  const running = await contender.start({ url, sinkUrl: load.sinkUrl });
  const { latenciesMs, missing } = await load.produce({ url, perSecond, seconds });
  await running.stop();
  const sorted = latenciesMs.sort((left, right) => left - right);
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return {
    contender: contender.name,
    perSecond,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    missing,
  };
}
