import type { CountFigure, OutboxFigures, StateCounts } from "#db/stores/port/outbox-figures.ts";
import type { OutboxHandle } from "../runtime.ts";
import { outboxOf } from "./outbox-of.ts";

/** Counts, ages, relays and pauses of one outbox, of one moment. */
export async function readFigures(handle: OutboxHandle): Promise<OutboxFigures> {
  const figures = await outboxOf(handle).read.figures();
  return handle.catalog.rowSecurity || figures.tableLocked ? asUnknown(figures) : figures;
}

/** Of rows that row level security hides nothing is known: what was counted is a part of them at most. */
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
