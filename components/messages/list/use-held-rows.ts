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
  /** Removes the rows that are gone, and `acted` as soon as they are; the others stay in place. */
  dropGone: (acted: readonly string[]) => void;
}

interface Held<Row> {
  key: string;
  asOf: string;
  messages: readonly Row[];
  /** Ids of rows that need not stay once they are gone: the operator acted on them. */
  acted: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** A list as it was last read; see `UseQueryResult`. */
interface Answered<Row> {
  data: FreshList<Row> | undefined;
  dataUpdatedAt: number;
}

/**
 * Rows as the operator sees them: figures update, positions do not. A different `list` is another list. A cached one is
 * replaced by the first fresh one, without marking rows as gone.
 */
export function useHeldRows<Row extends Listed>(list: string, { data, dataUpdatedAt }: Answered<Row>): HeldRows<Row> {
  const [opened, setOpened] = useState({ list, dataUpdatedAt });
  if (opened.list !== list) setOpened({ list, dataUpdatedAt });
  const isCached = opened.list !== list || opened.dataUpdatedAt === dataUpdatedAt;
  return useHeld(JSON.stringify([list, isCached]), data);
}

function useHeld<Row extends Listed>(key: string, fresh: FreshList<Row> | undefined): HeldRows<Row> {
  const [held, setHeld] = useState<Held<Row>>({ key, asOf: "", messages: [], acted: NONE });
  const merged = useMemo(() => {
    const page = mergePage({
      held: held.key === key ? held.messages : [],
      fresh: fresh?.messages ?? [],
      hasMore: fresh?.nextCursor !== null,
      elapsedSeconds: secondsBetween(held.asOf, fresh?.asOf),
    });
    return { ...page, rows: page.rows.filter(({ gone, message }) => !gone || !held.acted.has(message.id)) };
  }, [held, key, fresh]);
  const take = fresh !== undefined && (held.key !== key || (merged.arrivals > 0 && isSpent(merged)));
  const renewed = take || held.asOf !== fresh?.asOf;

  useEffect(() => {
    if (fresh === undefined || !renewed) return;
    const messages = take ? fresh.messages : merged.rows.map((row) => row.message);
    setHeld((before) => ({ key, asOf: fresh.asOf, messages, acted: take ? NONE : before.acted }));
  }, [renewed, take, key, fresh, merged]);

  const shown = take ? mergePage({ held: fresh.messages, fresh: fresh.messages, hasMore: false }) : merged;
  return {
    ...shown,
    accept: () => fresh && setHeld({ key, asOf: fresh.asOf, messages: fresh.messages, acted: NONE }),
    dropGone: (acted) =>
      setHeld({
        ...held,
        messages: shown.rows.filter((row) => !row.gone).map((row) => row.message),
        acted: new Set([...held.acted, ...acted]),
      }),
  };
}

function secondsBetween(from: string, to: string | undefined): number {
  const seconds = (Date.parse(to ?? "") - Date.parse(from)) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}
