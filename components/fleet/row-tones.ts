import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";

type Tone = "bad" | "warn" | undefined;

const TONES = { pass: undefined, warn: "warn", fail: "bad" } as const;

/** Tone of the age as judged by health; the fleet applies no limits of its own. */
export function toneOfOldest(outbox: Pick<OutboxSummary, "figures">): Tone {
  return outbox.figures === null ? undefined : TONES[outbox.figures.judged.oldestPending];
}

/** An outbox that does not deliver has no outflow. */
export function toneOfRates({ verdict, figures }: Pick<OutboxSummary, "figures" | "verdict">): Tone {
  return verdict.word === "not_delivering" && figures?.outPerSecond === 0 ? "bad" : undefined;
}

export function toneOfRelays({ figures }: Pick<OutboxSummary, "figures">): Tone {
  return figures?.relays?.alive === 0 ? "bad" : undefined;
}
