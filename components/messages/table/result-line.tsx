import Link from "next/link";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { formatFigure } from "#components/ui/format/format-figure.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Figure } from "#contracts/common.ts";
import { formatCount } from "#domain/format.ts";
import { countPresent } from "../list/merge-page.ts";
import type { HeldList } from "../list/use-message-list.ts";
import { Arrivals } from "./arrivals.tsx";
import css from "./list-panel.module.css";

const EXACTNESS: Record<Figure["precision"], string> = {
  exact: "counted exactly",
  capped: "counting stopped",
  estimate: "estimated",
  unknown: "not counted",
};

interface ResultLineProps {
  list: HeldList;
  /** As the list's tab shows it. */
  figure: Figure | undefined;
  /** Place of the first row in the list; undefined where nothing says it. */
  first: number | undefined;
}

/** "1 to 50 of 4,834, counted exactly, as of 03:05:14 UTC · 12 new, press ." */
export function ResultLine({ list, figure, first }: ResultLineProps) {
  if (list.list === undefined || figure === undefined) return <p className={css.result} />;
  const { partial } = list.list;
  return (
    <p className={css.result}>
      <span>
        <b>{describePlace(first, countPresent(list.rows), figure)}</b>, {EXACTNESS[figure.precision]}, as of{" "}
        <Instant at={list.list.asOf} /> UTC
        {partial !== null && <PartRead {...partial} />}
      </span>
      {list.list.recordedOnly.value > 0 && (
        <span data-testid="recorded-only">{describeRecordedOnly(list.list.recordedOnly)}</span>
      )}
      {/* Each reading of rows in no order finds others, and none of them need be new. */}
      <Arrivals page={partial?.skipped ? { ...list, arrivals: 0 } : list} onAccept={list.accept} />
    </p>
  );
}

/**
 * A list that was not read whole; `skipped`: in no useful order either, so that newer messages may be among the rest.
 */
function PartRead({ read, skipped }: { read: number; skipped: boolean }) {
  const { href } = useOutbox();
  if (!skipped) return <>, {formatCount(read)} entries read</>;
  return (
    <>
      , from {formatCount(read)} rows that were read in another order; other messages are on no page (
      <Link className="link" href={href("/storage")} prefetch={false}>
        missing indexes
      </Link>
      )
    </>
  );
}

/** What no page shows: "3 more no longer have a row and are kept by the relay: see Failures". */
export function describeRecordedOnly({ value, precision }: Figure): string {
  const least = precision === "capped" ? "at least " : "";
  return `${least}${formatCount(value)} more ${value === 1 ? "no longer has a row and is" : "no longer have a row and are"} kept by the relay: see Failures`;
}

/**
 * "1 to 50 of 10,000+"; "50 of 4,834" for a page whose place nobody knows. `rows`: without those that have left the
 * list.
 */
export function describePlace(first: number | undefined, rows: number, figure: Figure): string {
  const count = figure.precision === "capped" ? `${formatCount(figure.value)}+` : formatFigure(figure);
  const total = figure.precision === "unknown" ? "" : ` of ${count}`;
  if (rows === 0) return figure.value === 0 && figure.precision === "exact" ? "No message" : `0${total}`;
  if (rows === 1 && first !== undefined) return `${formatCount(first)}${total}`;
  if (first === undefined) return `${formatCount(rows)}${total}`;
  return `${formatCount(first)} to ${formatCount(first + rows - 1)}${total}`;
}
