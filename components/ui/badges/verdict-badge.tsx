import type { Verdict } from "#contracts/watch/diagnosis.ts";
import css from "./verdict-badge.module.css";

type VerdictTone = "bad" | "warn" | "quiet";

interface VerdictLook {
  word: string;
  tone: VerdictTone;
  /** Half a dot: part of the messages get through. */
  dot: "full" | "half";
}

/** Each verdict's look, used everywhere in the console. Only verdicts that need action have a colour. */
export const VERDICT_LOOKS: Record<Verdict["word"], VerdictLook> = {
  not_delivering: { word: "not delivering", tone: "bad", dot: "full" },
  in_part: { word: "in part", tone: "bad", dot: "half" },
  late: { word: "late", tone: "warn", dot: "full" },
  unknown: { word: "not known", tone: "warn", dot: "full" },
  at_risk: { word: "at risk", tone: "warn", dot: "full" },
  paused: { word: "paused", tone: "quiet", dot: "full" },
  delivering: { word: "delivering", tone: "quiet", dot: "full" },
};

/** The dot alone, for a row whose word is elsewhere. */
export function VerdictDot({ word, named = false }: { word: Verdict["word"]; named?: boolean }) {
  const look = VERDICT_LOOKS[word];
  const name = named ? ({ role: "img", "aria-label": look.word, title: look.word } as const) : { "aria-hidden": true };
  return <span className={css.dot} data-tone={look.tone} data-dot={look.dot} {...name} />;
}

/** Dot, word and colour. */
export function VerdictBadge({ word }: { word: Verdict["word"] }) {
  const look = VERDICT_LOOKS[word];
  return (
    <span className={css.badge} data-tone={look.tone}>
      <VerdictDot word={word} />
      {look.word}
    </span>
  );
}
