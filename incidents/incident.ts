import type { Verdict } from "#contracts/watch/diagnosis.ts";
import type { CauseCode, VerdictWord } from "#domain/diagnosis/words.ts";
import type { Reading } from "./check/reading.ts";
import type { Scene } from "./scene.ts";
import type { OutboxSpec } from "./world/stack-config.ts";

/**
 * Stacks run concurrently, each over a separate database. In one with `together`, an incident disturbs only its own
 * outbox, and incidents run concurrently; in the others they affect the whole stack and run one after another.
 */
export const STACKS = {
  sinks: { together: true },
  tables: { together: true },
  processes: { together: false },
  clocks: { together: false },
  fleet: { together: false },
  slots: { together: false },
  /** Console and relay have an account of their own, as docs/operating.md grants it. */
  accounts: { together: false },
  /** Over MySQL; all others are over Postgres. */
  mysql: { together: false },
} as const;
export type StackName = keyof typeof STACKS;

export type Status = Verdict["status"];

/** What every surface must show at the same instant. Fields that are left out are not checked. */
export interface Stage {
  /** Label in the report; default: the incident's name. */
  name?: string;
  before?: (scene: Scene) => Promise<void> | void;
  word?: VerdictWord | readonly VerdictWord[];
  status?: Status | readonly Status[];
  rule?: CauseCode | readonly CauseCode[];
  /** All of them must match the first cause's sentence. */
  cause?: readonly RegExp[];
  title?: RegExp;
  /** Must match the lower-ranked causes. */
  more?: readonly RegExp[];
  /** Must match the first cause or the lower-ranked ones. */
  mentions?: readonly RegExp[];
  /** Further checks: returns what is missing, or nothing. */
  also?: (reading: Reading, scene: Scene) => readonly string[];
  /** The snapshot is expected to fail; list and health carry the verdict. */
  unreadable?: true;
  /** The same cause must then hold for this many consecutive readings. */
  steadyReadings?: number;
  /** Requires the same wording too. */
  sameWords?: true;
  /** Runs once the sentence is right; throws if the world contradicts it. */
  proves?: (scene: Scene) => Promise<void>;
  withinSeconds?: number;
}

export interface Incident {
  name: string;
  stack: StackName;
  /** The first one is watched. */
  outboxes: readonly OutboxSpec[];
  produce: (scene: Scene) => Promise<void>;
  stages: readonly Stage[];
  /** Must not match any reading from the incident's start to its repair. */
  never?: (reading: Reading, scene: Scene) => string | null;
  mend: (scene: Scene) => Promise<void>;
  mendWithinSeconds?: number;
}
