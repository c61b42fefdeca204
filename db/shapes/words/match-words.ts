import type { Concept } from "./concepts.ts";
import type { NameWord } from "./name-words.ts";

/** Words that a name may have without meaning anything else. */
const NEUTRAL: ReadonlySet<Concept> = new Set(["event", "message", "outbox", "record", "broker", "filler"]);
const COST: Partial<Record<Concept, number>> = { filler: 0, outbox: 0.4, broker: 0.1 };

export interface Pattern {
  /** The greater, the surer. */
  weight: number;
  /** Each stands for one word of the name, in any order. */
  required: readonly Concept[];
  optional: readonly Concept[];
}

/** How well a name fits: the pattern's weight less what it has beside the required words; null if it does not. */
export function matchWords(words: readonly NameWord[], pattern: Pattern): number | null {
  const cost = costOf(words, 0, pattern.required, pattern.optional);
  return cost === null ? null : pattern.weight - cost;
}

/** Every required concept has a word of its own; every other word is optional or neutral. The cheapest way. */
function costOf(
  words: readonly NameWord[],
  from: number,
  required: readonly Concept[],
  optional: readonly Concept[],
): number | null {
  const word = words[from];
  if (!word) return required.length === 0 ? 0 : null;
  if (words.length - from < required.length) return null;
  const costs = word.concepts.flatMap((concept) => {
    const at = required.indexOf(concept);
    const spent = at === -1 ? [] : [costOf(words, from + 1, required.toSpliced(at, 1), optional)];
    const isBeside = optional.includes(concept) || NEUTRAL.has(concept);
    const beside = isBeside ? costOf(words, from + 1, required, optional) : null;
    const price = optional.includes(concept) ? 0.2 : (COST[concept] ?? 0.3);
    return [...spent, beside === null ? null : beside + price];
  });
  const found = costs.filter((cost) => cost !== null);
  return found.length === 0 ? null : Math.min(...found);
}
