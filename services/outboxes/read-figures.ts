import type { CountFigure, OutboxFigures, StateCounts } from "#db/stores/port/outbox-figures.ts";
import type { OutboxHandle } from "../runtime.ts";
import { outboxOf } from "./outbox-of.ts";
import { areRowsHidden } from "./row-security.ts";

/** Counts, ages, relays and pauses of one outbox, from one snapshot. Unknown if the table is locked or rows are hidden. */
export async function readFigures(handle: OutboxHandle): Promise<OutboxFigures> {
  const figures = await outboxOf(handle).read.figures();
  return areRowsHidden(handle, figures) || figures.tableLocked ? asUnknown(figures) : figures;
}

/** Marks the counts as unknown: hidden rows make them partial, a locked table makes them empty. */
function asUnknown(figures: OutboxFigures): OutboxFigures {
  const unknown = (figure: CountFigure): CountFigure => ({ ...figure, precision: "unknown" });
  const { archived, ...inTable } = figures.counts;
  const counts = Object.fromEntries(Object.entries(inTable).map(([state, figure]) => [state, unknown(figure)]));
  const { waiting } = figures;
  return {
    ...figures,
    counts: { ...(counts as Omit<StateCounts, "archived">), archived },
    waiting: { ...waiting, oldestKnown: false, scheduled: unknown(waiting.scheduled), deadLast24h: null },
  };
}
