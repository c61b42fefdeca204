import type { OutboxFigures } from "../../port/outbox-figures.ts";

/** The clocks of one reading. */
export type Clocks = Pick<OutboxFigures, "asOf" | "clockAt" | "judgedAt" | "standsStill" | "consoleOffsetMs">;

/** The certain difference between our clock and the database's, ms; the time of the round trip is not counted. */
export function clockOffset(askedMs: number, answeredMs: number, databaseMs: number): number {
  if (askedMs > databaseMs) return askedMs - databaseMs;
  return answeredMs < databaseMs ? answeredMs - databaseMs : 0;
}
