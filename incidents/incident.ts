import type { Verdict } from "#contracts/diagnosis.ts";
import type { CauseCode, VerdictWord } from "#domain/diagnosis/words.ts";
import type { Reading } from "./check/reading.ts";
import type { Scene } from "./scene.ts";
import type { OutboxSpec } from "./world/stack-config.ts";

/**
 * Stacks run side by side, each over a database of its own. In one with `together` the incidents disturb nobody but
 * their own outbox; in the others they concern the whole stack and run one after another.
 */
export const STACKS = {
  sinks: { together: true },
  tables: { together: true },
  processes: { together: false },
  clocks: { together: false },
  fleet: { together: false },
  slots: { together: false },
} as const;
export type StackName = keyof typeof STACKS;

export type Status = Verdict["status"];

/** What must be shown, on every surface at the same instant. What is left out is not judged. */
export interface Stage {
  /** For the table; the incident's name when left out. */
  name?: string;
  before?: (scene: Scene) => Promise<void> | void;
  word?: VerdictWord | readonly VerdictWord[];
  status?: Status | readonly Status[];
  rule?: CauseCode | readonly CauseCode[];
  /** All of them in the first cause's sentence. */
  cause?: readonly RegExp[];
  title?: RegExp;
  /** In what ranks lower. */
  more?: readonly RegExp[];
  /** In the cause or in what ranks lower. */
  told?: readonly RegExp[];
  /** Anything else: what is missing, or nothing. */
  also?: (reading: Reading, scene: Scene) => readonly string[];
  /** The snapshot cannot be taken: list and health carry the verdict. */
  unreadable?: true;
  /** From then on the same cause stands for so many readings, one after another. */
  steadyReadings?: number;
  /** And says so in the same words. */
  sameWords?: true;
  /** Once the sentence is right: throws when the world is not as it says. */
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
  /** What no reading may show from the beginning of the incident until it is mended. */
  never?: (reading: Reading, scene: Scene) => string | null;
  mend: (scene: Scene) => Promise<void>;
  mendWithinSeconds?: number;
}
