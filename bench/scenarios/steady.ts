import type { ContenderName } from "../contenders/contender.ts";
import { loadContender } from "../contenders/run-contender.ts";
import type { Load } from "../load.ts";
import type { BenchServer } from "../server.ts";

export interface SteadyFigures {
  contender: ContenderName;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  missing: number;
  /** Share of one core. */
  relayShare: number;
  postgresShare: number;
}

/** Commit acknowledged to receipt, on one clock, over http, one event a transaction. `prepare` makes the table. */
export async function measureSteady(input: {
  server: BenchServer;
  load: Load;
  contender: ContenderName;
  perSecond: number;
  seconds: number;
  prepare(): Promise<unknown>;
  /** Begins once the contender runs, and is ended after the load. */
  meanwhile?(): Promise<() => Promise<void>>;
  /** Latencies of the first seconds are left out. */
  warmUpSeconds?: number;
}): Promise<SteadyFigures> {
  const { server, load, contender, perSecond, seconds } = input;
  await input.prepare();
  const target = { kind: "http", url: load.sinkUrl } as const;
  const loaded = await loadContender({ name: contender, url: server.url, target });
  const running = await loaded.start();
  const end = await input.meanwhile?.();
  const before = { relay: await running.cpuMicros(), postgres: await server.cpuMicros(), atMs: performance.now() };
  const { latenciesMs, missing } = await load.produce({ url: server.url, perSecond, seconds });
  const share = (cpuMicros: number) => cpuMicros / 1000 / (performance.now() - before.atMs);
  const shares = {
    relayShare: share((await running.cpuMicros()) - before.relay),
    postgresShare: share((await server.cpuMicros()) - before.postgres),
  };
  await end?.();
  await running.stop();
  const counted = latenciesMs.slice((input.warmUpSeconds ?? 0) * perSecond).sort((left, right) => left - right);
  const quantile = (part: number) =>
    counted[Math.min(counted.length - 1, Math.floor(counted.length * part))] ?? Number.NaN;
  return { contender, perSecond, p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), missing, ...shares };
}
