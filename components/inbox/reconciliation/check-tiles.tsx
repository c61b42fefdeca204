import { formatCount } from "#domain/format.ts";
import css from "./reconciliation.module.css";

/** Label, count, what it is a part of, and the tone of a count above 0. */
export type CheckTile = readonly [label: string, value: number, note: string, tone: "warn" | null];

export function CheckTiles({ tiles }: { tiles: readonly CheckTile[] }) {
  return (
    <dl className={css.tiles}>
      {tiles.map(([label, value, note, tone]) => (
        <div key={label} data-tone={value > 0 ? (tone ?? undefined) : undefined}>
          <dt>{label}</dt>
          <dd>
            {formatCount(value)} <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
