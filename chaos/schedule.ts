import type { ChaosOptions, SinkKind } from "./options.ts";
import { createRandom, type Random } from "./random.ts";
import type { StoreKind } from "./stores/store-kinds.ts";

interface Plan {
  /** Relative frequency. */
  weight: number;
  forMs: readonly [number, number];
  amount?: readonly [number, number];
  /** Only for sinks that support it. */
  sinks?: readonly SinkKind[];
  /** Only for stores that have it. */
  stores?: readonly StoreKind[];
}

/** Longer than any lease of the run, so that some faults outlast the lease. */
const PAST_LEASE = Number.POSITIVE_INFINITY;

const SQL: readonly StoreKind[] = ["postgres", "mysql", "mariadb"];

export const PLANS = {
  /** `amount`: clock shift of the next process, in seconds. */
  "relay-kill": { weight: 6, forMs: [0, 4000], amount: [-600, 600] },
  "relay-stop": { weight: 3, forMs: [0, 3000], amount: [-600, 600] },
  "relay-freeze": { weight: 4, forMs: [200, PAST_LEASE] },
  "db-restart": { weight: 1, forMs: [0, 1500], stores: SQL },
  "db-immediate": { weight: 1, forMs: [0, 1500], stores: ["postgres"] },
  "db-kill": { weight: 1, forMs: [0, 1500] },
  /** `amount`: percent of the relays' sessions. */
  "sessions-terminate": { weight: 2, forMs: [0, 0], amount: [20, 100], stores: SQL },
  "db-line-cut": { weight: 3, forMs: [0, 0] },
  "db-line-hang": { weight: 3, forMs: [100, PAST_LEASE] },
  "db-line-no-answers": { weight: 3, forMs: [100, PAST_LEASE] },
  "db-line-refuse": { weight: 2, forMs: [100, PAST_LEASE] },
  "db-line-slow": { weight: 2, forMs: [500, 4000], amount: [5, 120] },
  "sink-line-cut": { weight: 3, forMs: [0, 0] },
  "sink-line-hang": { weight: 3, forMs: [100, 4000] },
  "sink-line-no-answers": { weight: 2, forMs: [100, 4000] },
  "sink-line-refuse": { weight: 2, forMs: [100, 4000] },
  "sink-line-slow": { weight: 2, forMs: [500, 4000], amount: [5, 200] },
  "sink-stop": { weight: 1, forMs: [0, 2500] },
  "sink-kill": { weight: 1, forMs: [0, 2500] },
  /** `amount`: share of messages, per thousand. */
  "answer-500": { weight: 2, forMs: [300, 3000], amount: [5, 300], sinks: ["http"] },
  "answer-500-after": { weight: 2, forMs: [300, 2000], amount: [5, 300], sinks: ["http"] },
  "answer-nothing": { weight: 1, forMs: [300, 2000], amount: [2, 50], sinks: ["http"] },
  "answer-400": { weight: 1, forMs: [300, 2000], amount: [1, 20], sinks: ["http"] },
  "answer-503": { weight: 1, forMs: [300, 2000], amount: [1000, 1000], sinks: ["http"] },
  "foreign-snapshot": { weight: 2, forMs: [1000, 8000], stores: SQL },
  "foreign-locks": { weight: 2, forMs: [300, 3000], amount: [5, 60], stores: SQL },
  /** `amount`: number of messages. */
  "operator-dead-letter": { weight: 2, forMs: [0, 0], amount: [1, 4] },
  "operator-retry": { weight: 2, forMs: [0, 0], amount: [1, 8] },
  "operator-archive": { weight: 1, forMs: [0, 0], amount: [1, 8] },
  "operator-restore": { weight: 1, forMs: [0, 0], amount: [1, 8] },
  "operator-pause": { weight: 1, forMs: [300, 2500] },
} satisfies Record<string, Plan>;

export type StepKind = keyof typeof PLANS;

export interface Step {
  atMs: number;
  kind: StepKind;
  /** The affected relay's slot, from 0. */
  slot: number;
  forMs: number;
  amount: number;
}

const STORM_MS = [2500, 8000] as const;
const CALM_MS = [1500, 3000] as const;
const GAP_MS = [80, 1100] as const;

/** Storms of faults with calm periods, in which nothing may be duplicated; all derived from the seed. */
export function generateSchedule(
  options: Pick<ChaosOptions, "seed" | "store" | "sink" | "relays" | "chaosMs" | "leaseMs">,
): Step[] {
  const random = createRandom(options.seed);
  const kinds = (Object.entries(PLANS) as [StepKind, Plan][]).filter(
    ([, { sinks, stores }]) => (sinks?.includes(options.sink) ?? true) && (stores?.includes(options.store) ?? true),
  );
  const steps: Step[] = [];
  let atMs = random.int(...GAP_MS);
  let stormEndsMs = atMs + random.int(...STORM_MS);
  while (atMs < options.chaosMs) {
    steps.push(makeStep(random, kinds, atMs, options));
    atMs += random.int(...GAP_MS);
    if (atMs > stormEndsMs) {
      atMs += random.int(...CALM_MS);
      stormEndsMs = atMs + random.int(...STORM_MS);
    }
  }
  return steps;
}

function makeStep(
  random: Random,
  kinds: readonly [StepKind, Plan][],
  atMs: number,
  { relays, leaseMs }: Pick<ChaosOptions, "relays" | "leaseMs">,
): Step {
  const [kind, plan] = choose(random, kinds);
  const [least, most] = plan.forMs;
  const forMs = random.int(least, most === PAST_LEASE ? Math.round(leaseMs * 2) : most);
  return { atMs, kind, slot: random.int(0, relays - 1), forMs, amount: plan.amount ? random.int(...plan.amount) : 0 };
}

function choose(random: Random, kinds: readonly [StepKind, Plan][]): [StepKind, Plan] {
  let left = random.next() * kinds.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const entry of kinds) {
    left -= entry[1].weight;
    if (left < 0) return entry;
  }
  return kinds.at(-1) as [StepKind, Plan];
}
