import { formatFigure } from "#components/ui/format-figure.ts";
import { formatUtcTime } from "#components/ui/format-instant.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import type { Figure } from "#contracts/common.ts";
import { formatCount } from "#domain/format.ts";
import css from "./messages-page.module.css";
import type { HeldList } from "./use-message-list.ts";

const EXACTNESS: Record<Figure["precision"], string> = {
  exact: "match, exact",
  capped: "match, counted no further",
  estimate: "match, estimated",
  unknown: "not counted",
};

/** "4,834 match, exact, as of 03:05:14 · 12 new, press ." */
export function ResultLine({ list, onFirstPage }: { list: HeldList; onFirstPage: boolean }) {
  const figure = list.list?.matching;
  if (list.list === undefined || figure === undefined) return <p className={css.result} />;
  const number = figure.precision === "unknown" ? "" : formatFigure(figure);
  return (
    <p className={css.result}>
      <span>
        {number} {EXACTNESS[figure.precision]}, as of {formatUtcTime(list.list.asOf)}
      </span>
      {onFirstPage && list.arrivals > 0 && (
        <button type="button" className={css.arrivals} onClick={list.accept}>
          {formatCount(list.arrivals)}
          {list.arrivalsCapped ? "+" : ""} new, press <Kbd>.</Kbd>
        </button>
      )}
    </p>
  );
}
