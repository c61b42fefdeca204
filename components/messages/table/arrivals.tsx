import { Kbd } from "#components/ui/values/kbd.tsx";
import { formatCount } from "#domain/format.ts";
import type { MergedPage } from "../list/merge-page.ts";
import css from "./list-panel.module.css";

interface ArrivalsProps {
  page: Pick<MergedPage, "rows" | "arrivals" | "arrivalsCapped">;
  onAccept: () => void;
}

/** What a new list would change: "12 new, 3 gone, press ." */
export function Arrivals({ page, onAccept }: ArrivalsProps) {
  const news = describeNews(page);
  if (news === "") return null;
  return (
    <button type="button" className={css.arrivals} onClick={onAccept}>
      {news}
      <span className="hide-on-phone">
        , press <Kbd>.</Kbd>
      </span>
      <span className="only-on-phone">: show</span>
    </button>
  );
}

function describeNews({ rows, arrivals, arrivalsCapped }: ArrivalsProps["page"]): string {
  const gone = rows.filter((row) => row.gone).length;
  const parts = [
    ...(arrivals > 0 ? [`${formatCount(arrivals)}${arrivalsCapped ? "+" : ""} new`] : []),
    ...(gone > 0 ? [`${formatCount(gone)} gone`] : []),
  ];
  return parts.join(", ");
}
