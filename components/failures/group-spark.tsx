import { formatLeast } from "#components/ui/format/format-figure.ts";
import type { FailureGroup } from "#contracts/message/messages.ts";
import { type Trend, trendOf } from "#domain/figures/trend.ts";
import css from "./group-memory.module.css";

const WORDS: Record<Trend, string> = {
  rising: "rising",
  falling: "falling",
  steady: "steady",
  none: "none new for 6 h",
};
const WIDTH = 96;
const HEIGHT = 18;
const GAP = 1;

/** In words how the group's new failures of the last hours compare; null if that is not known. */
export function trendWord(group: Pick<FailureGroup, "newByHour">, complete: boolean): string | null {
  const trend = trendOf(group.newByHour, complete);
  return trend === null ? null : WORDS[trend];
}

/** New failures of each of the last 24 hours, and whether they rise. */
export function GroupSpark({ group, complete }: { group: FailureGroup; complete: boolean }) {
  const { newByHour } = group;
  if (newByHour === null) return <span className="muted">not known</span>;
  const most = Math.max(1, ...newByHour);
  const step = WIDTH / newByHour.length;
  const total = newByHour.reduce((sum, count) => sum + count, 0);
  return (
    <span className={css.spark}>
      <svg className={css.hoursBars} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
        {newByHour.map((count, index) => {
          const height = count === 0 ? 0.5 : Math.max(2, (HEIGHT * count) / most);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: hours never move
              key={index}
              x={index * step}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              fill={count === 0 ? "var(--line3)" : "var(--c1)"}
            />
          );
        })}
      </svg>
      <small>
        <span className="visually-hidden">{formatLeast(total, complete)} new in 24 hours, </span>
        {trendWord(group, complete) ?? "not all read"}
      </small>
    </span>
  );
}
