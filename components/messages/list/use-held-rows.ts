"use client";

import { useEffect, useMemo, useState } from "react";
import { isSpent, type Listed, type MergedPage, mergePage } from "./merge-page.ts";

interface FreshList<Row> {
  asOf: string;
  messages: readonly Row[];
  nextCursor: string | null;
}

export interface HeldRows<Row extends Listed> extends MergedPage<Row> {
  /** Shows the new rows. */
  accept: () => void;
  /** Removes the rows that are gone; the others stay in place. */
  dropGone: () => void;
}

interface Held<Row> {
  key: string;
  asOf: string;
  messages: readonly Row[];
}

/** Rows as the operator sees them: figures update, positions do not. A different `key` is a different list. */
export function useHeldRows<Row extends Listed>(key: string, fresh: FreshList<Row> | undefined): HeldRows<Row> {
  const [held, setHeld] = useState<Held<Row>>({ key, asOf: "", messages: [] });
  const merged = useMemo(
    () =>
      mergePage({
        held: held.key === key ? held.messages : [],
        fresh: fresh?.messages ?? [],
        hasMore: fresh?.nextCursor !== null,
        elapsedSeconds: secondsBetween(held.asOf, fresh?.asOf),
      }),
    [held, key, fresh],
  );
  const take = fresh !== undefined && (held.key !== key || (merged.arrivals > 0 && isSpent(merged)));
  const renewed = take || held.asOf !== fresh?.asOf;

  useEffect(() => {
    if (fresh === undefined || !renewed) return;
    setHeld({ key, asOf: fresh.asOf, messages: take ? fresh.messages : merged.rows.map((row) => row.message) });
  }, [renewed, take, key, fresh, merged]);

  const shown = take ? mergePage({ held: fresh.messages, fresh: fresh.messages, hasMore: false }) : merged;
  return {
    ...shown,
    accept: () => fresh && setHeld({ key, asOf: fresh.asOf, messages: fresh.messages }),
    dropGone: () => setHeld({ ...held, messages: shown.rows.filter((row) => !row.gone).map((row) => row.message) }),
  };
}

function secondsBetween(from: string, to: string | undefined): number {
  const seconds = (Date.parse(to ?? "") - Date.parse(from)) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}
