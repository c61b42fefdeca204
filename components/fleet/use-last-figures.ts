"use client";

import { useEffect, useMemo, useRef } from "react";
import type { OutboxList, OutboxSummary } from "#contracts/outboxes.ts";
import { fillFigures } from "./fill-figures.ts";

/** The list with the last known figures of what cannot be read now, and the names of those outboxes. */
export function useLastFigures(list: OutboxList): { list: OutboxList; old: ReadonlySet<string> } {
  const known = useRef<ReadonlyMap<string, OutboxSummary["figures"]>>(new Map());
  const filled = useMemo(() => fillFigures(list, known.current), [list]);
  useEffect(() => {
    known.current = new Map(filled.list.outboxes.map((outbox) => [outbox.name, outbox.figures]));
  }, [filled]);
  return filled;
}
