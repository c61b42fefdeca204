"use client";

import { useEffect, useMemo, useRef } from "react";
import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { fillFigures } from "./fill-figures.ts";

/** The list with last known figures for outboxes that cannot be read now, and those outboxes' names. */
export function useLastFigures(list: OutboxList): { list: OutboxList; old: ReadonlySet<string> } {
  const known = useRef<ReadonlyMap<string, OutboxSummary["figures"]>>(new Map());
  const filled = useMemo(() => fillFigures(list, known.current), [list]);
  useEffect(() => {
    known.current = new Map(filled.list.outboxes.map((outbox) => [outbox.name, outbox.figures]));
  }, [filled]);
  return filled;
}
