import type { ContenderName } from "../contenders/contender.ts";
import { loadContender, type RunningContender } from "../contenders/run-contender.ts";
import type { Load } from "../load.ts";
import type { BenchServer } from "../server.ts";

/** Warm-up before the measurement, so that code is compiled and connections are open. */
export const WARM_UP_SECONDS = 8;
/** Start of the warm-up, when the process has just begun. */
export const COLD_SECONDS = 3;

interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface SteadyFigures {
  contender: ContenderName;
  perSecond: number;
  /** After the warm-up. */
  warm: Quantiles;
  /** In the first seconds after the contender began. */
  cold: Quantiles;
  missing: number;
  /** Share of one core, after the warm-up. */
  relayShare: number;
  postgresShare: number;
}

/** Commit acknowledged to receipt, on one clock, over http, one event per transaction. `prepare` creates the table. */
export async function measureSteady(input: {
  server: Pick<BenchServer, "url" | "cpuMicros">;
  load: Load;
  contender: ContenderName;
  perSecond: number;
  seconds: number;
  prepare(): Promise<unknown>;
  /** Starts once the contender runs, and is stopped after the load. */
  meanwhile?(): Promise<() => Promise<void>>;
  /** Longer if the started activity needs time to take effect. */
  warmUpSeconds?: number;
}): Promise<SteadyFigures> {
  const { server, load, contender } = input;
  await input.prepare();
  const target = { kind: "http", url: load.sinkUrl } as const;
  const loaded = await loadContender({ name: contender, url: server.url, target });
  const running = await loaded.start();
  const figures = await measureUnderLoad({ ...input, running });
  await running.stop();
  return { contender, ...figures };
}

/** The same for a contender that already runs and publishes to a target that the load's process receives from. */
export async function measureUnderLoad(input: {
  server: Pick<BenchServer, "url" | "cpuMicros">;
  load: Load;
  running: Pick<RunningContender, "cpuMicros">;
  perSecond: number;
  seconds: number;
  meanwhile?(): Promise<() => Promise<void>>;
  warmUpSeconds?: number;
}): Promise<Omit<SteadyFigures, "contender">> {
  const { server, load, running, perSecond, seconds, warmUpSeconds = WARM_UP_SECONDS } = input;
  const end = await input.meanwhile?.();
  const reading = async () => ({
    relay: await running.cpuMicros(),
    postgres: await server.cpuMicros(),
    atMs: performance.now(),
  });
  let before = await reading();
  const { timings, missing } = await load.produce({ url: server.url, perSecond, warmUpSeconds, seconds }, async () => {
    before = await reading();
  });
  const after = await reading();
  const share = (of: "relay" | "postgres") => (after[of] - before[of]) / 1000 / (after.atMs - before.atMs);
  const shares = { relayShare: share("relay"), postgresShare: share("postgres") };
  await end?.();
  const between = (fromSeconds: number, toSeconds: number) =>
    quantiles(timings.filter(([at]) => at >= fromSeconds * 1000 && at < toSeconds * 1000).map(([, ms]) => ms));
  const cold = between(0, COLD_SECONDS);
  return { perSecond, warm: between(warmUpSeconds, Number.POSITIVE_INFINITY), cold, missing, ...shares };
}

function quantiles(latenciesMs: number[]): Quantiles {
  const sorted = latenciesMs.sort((left, right) => left - right);
  const quantile = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) };
}
