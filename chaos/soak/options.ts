import { parseArgs } from "node:util";
import { OptionError } from "#tests/parse-options.ts";
import { FAULT_KINDS, type FaultKind } from "./fault-kinds.ts";

export const SOAK_SINKS = ["kafka", "redis"] as const;
export type SoakSink = (typeof SOAK_SINKS)[number];

export interface SoakOptions {
  sink: SoakSink;
  seed: number;
  /** How long faults are injected, ms; afterwards everything heals and drains. */
  chaosMs: number;
  lanes: number;
  /** Messages per second and candidate, over all lanes. */
  rate: number;
  /** Most messages of one lane in one call, where the candidate keeps their order. */
  run: number;
  kinds: readonly FaultKind[];
  /** Longest fault, ms. */
  longestMs: number;
  /** Shortest and longest calm after a fault, ms. */
  calmMs: readonly [number, number];
  /** The sink's `timeout` and `connectTimeout`, ms; the library gets the same. */
  timeoutMs: number;
  connectTimeoutMs: number;
  /** How long the harness's own CPU time is measured beforehand, ms. */
  harnessMs: number;
  say: (line: string) => void;
}

export const SOAK_DEFAULTS: Omit<SoakOptions, "sink" | "seed" | "kinds" | "say"> = {
  chaosMs: 60_000,
  lanes: 50,
  rate: 1000,
  run: 1,
  longestMs: 15_000,
  calmMs: [4000, 8000],
  timeoutMs: 10_000,
  connectTimeoutMs: 3000,
  harnessMs: 10_000,
};

export const SOAK_HELP = `npm run chaos -- soak: our sink and its library's own client, side by side under the same faults

  --sink NAME      ${SOAK_SINKS.join(" or ")} (redis)
  --minutes N      how long faults are injected (1)
  --seed S         which faults, and when (chosen at random)
  --lanes L        sequences of numbered messages, each published in order (${SOAK_DEFAULTS.lanes})
  --rate N         messages per second and candidate (${SOAK_DEFAULTS.rate})
  --faults A,B     only these kinds: ${FAULT_KINDS.kafka.join(", ")} (all that the broker can have)
  --run N          most messages of one lane in one call (${SOAK_DEFAULTS.run})`;

/** Null when help was asked for. @throws when an option is unknown or has no such value */
export function readSoakOptions(args: string[]): Omit<SoakOptions, "say"> | null {
  const { values } = parseArgs({
    args,
    options: {
      sink: { type: "string", default: "redis" },
      minutes: { type: "string", default: String(SOAK_DEFAULTS.chaosMs / 60_000) },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
      lanes: { type: "string", default: String(SOAK_DEFAULTS.lanes) },
      rate: { type: "string", default: String(SOAK_DEFAULTS.rate) },
      run: { type: "string", default: String(SOAK_DEFAULTS.run) },
      faults: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return null;
  const sink = SOAK_SINKS.find((name) => name === values.sink);
  if (sink === undefined) throw new OptionError(`--sink is one of ${SOAK_SINKS.join(", ")}.`);
  const number = (name: "minutes" | "seed" | "lanes" | "rate" | "run", least: number) => {
    const value = Number(values[name]);
    if (!(value >= least)) throw new OptionError(`--${name} is a number from ${least}.`);
    return value;
  };
  return {
    ...SOAK_DEFAULTS,
    sink,
    kinds: kindsOf(FAULT_KINDS[sink], values.faults),
    seed: number("seed", 0),
    chaosMs: number("minutes", 0.1) * 60_000,
    lanes: number("lanes", 1),
    rate: number("rate", 1),
    run: number("run", 1),
  };
}

function kindsOf(possible: readonly FaultKind[], wished: string | undefined): readonly FaultKind[] {
  if (wished === undefined) return possible;
  const names = wished.split(",");
  const kinds = possible.filter((kind) => names.includes(kind));
  if (kinds.length !== names.length) throw new OptionError(`--faults are some of ${possible.join(",")}.`);
  return kinds;
}

export function soakCommand(options: Omit<SoakOptions, "say">): string {
  const { sink, chaosMs, seed, lanes, rate, run, kinds } = options;
  const faults = kinds.length === FAULT_KINDS[sink].length ? "" : ` --faults ${kinds.join(",")}`;
  return `npm run chaos -- soak --sink ${sink} --minutes ${chaosMs / 60_000} --seed ${seed} --lanes ${lanes} --rate ${rate} --run ${run}${faults}`;
}
