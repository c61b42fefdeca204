import type { OutboxSummary } from "#contracts/outboxes.ts";

type Tone = "bad" | "warn" | undefined;

const TONES = { pass: undefined, warn: "warn", fail: "bad" } as const;

/** Of the age as health judges it: the fleet compares nothing itself. */
export function toneOfOldest(outbox: Pick<OutboxSummary, "figures">): Tone {
  return outbox.figures === null ? undefined : TONES[outbox.figures.judged.oldestPending];
}

/** Nothing goes out of an outbox that does not deliver. */
export function toneOfRates({ verdict, figures }: Pick<OutboxSummary, "figures" | "verdict">): Tone {
  return verdict.word === "not_delivering" && figures?.outPerSecond === 0 ? "bad" : undefined;
}

export function toneOfRelays({ figures }: Pick<OutboxSummary, "figures">): Tone {
  return figures?.relays?.alive === 0 ? "bad" : undefined;
}
