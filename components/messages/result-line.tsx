import { formatFigure } from "#components/ui/format-figure.ts";
import { formatUtcTime } from "#components/ui/format-instant.ts";
import type { Figure } from "#contracts/common.ts";
import { formatCount } from "#domain/format.ts";
import { Arrivals } from "./arrivals.tsx";
import css from "./messages-page.module.css";
import type { HeldList } from "./use-message-list.ts";

const EXACTNESS: Record<Figure["precision"], string> = {
  exact: "match, counted exactly",
  capped: "match, counting stopped",
  estimate: "match, estimated",
  unknown: "not counted",
};

/** "4,834 match, counted exactly, as of 03:05:14 · 12 new, press ." */
export function ResultLine({ list }: { list: HeldList }) {
  const figure = list.list?.matching;
  if (list.list === undefined || figure === undefined) return <p className={css.result} />;
  const { partial } = list.list;
  const number = figure.precision === "unknown" ? "" : formatFigure(figure);
  return (
    <p className={css.result}>
      <span>
        {number} {EXACTNESS[figure.precision]}, as of {formatUtcTime(list.list.asOf)}
        {partial !== null && `, ${formatCount(partial.read)} entries read`}
      </span>
      <Arrivals page={list} onAccept={list.accept} />
    </p>
  );
}
