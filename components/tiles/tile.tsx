import Link from "next/link";
import type { ReactNode } from "react";
import css from "./tiles.module.css";

export type TileTone = "normal" | "rest" | "warn" | "bad" | "dead";

export interface TileProps {
  label: string;
  /** undefined while loading. */
  value: ReactNode | undefined;
  /** Smaller, after the value. */
  unit?: string | undefined;
  note?: ReactNode;
  tone?: TileTone;
  /** The filter that produces the number. */
  href: string;
}

/** One figure, uncoloured unless judged. Its boxes have fixed heights, so that a changing number moves nothing. */
export function Tile({ label, value, unit, note, tone = "normal", href }: TileProps) {
  return (
    <Link className={css.tile} data-tone={tone} href={href}>
      <span className={css.label}>{label}</span>
      <strong className={css.value}>
        {value === undefined ? <span className={css.bone} /> : value}
        {unit !== undefined && <span className={css.unit}> {unit}</span>}
      </strong>
      <small className={css.note} title={typeof note === "string" ? note : undefined}>
        {note}
      </small>
    </Link>
  );
}
