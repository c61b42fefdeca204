import type { Horizon } from "#db/stores/port/relay/claim.ts";

interface Numbered extends Horizon {
  begunBelow: number;
}

/** A horizon over numbered transactions: all below `endedBelow` had ended, none from `begunBelow` on had begun. */
export function horizonOf(endedBelow: number, begunBelow: number): Numbered {
  return {
    begunBelow,
    hasPassed: (earlier) => endedBelow >= (earlier as Numbered).begunBelow,
    hasEnded: () => false,
  };
}
