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
export function ResultLine({ list }: { list: HeldList }) {
  const figure = list.list?.matching;
  if (list.list === undefined || figure === undefined) return <p className={css.result} />;
  const news = describeNews(list);
  const number = figure.precision === "unknown" ? "" : formatFigure(figure);
  return (
    <p className={css.result}>
      <span>
        {number} {EXACTNESS[figure.precision]}, as of {formatUtcTime(list.list.asOf)}
      </span>
      {news !== "" && (
        <button type="button" className={css.arrivals} onClick={list.accept}>
          {news}, press <Kbd>.</Kbd>
        </button>
      )}
    </p>
  );
}

/** What a new list would change: "12 new, 3 gone". */
function describeNews(list: HeldList): string {
  const gone = list.rows.filter((row) => row.gone).length;
  const parts = [
    ...(list.arrivals > 0 ? [`${formatCount(list.arrivals)}${list.arrivalsCapped ? "+" : ""} new`] : []),
    ...(gone > 0 ? [`${formatCount(gone)} gone`] : []),
  ];
  return parts.join(", ");
}
