"use client";

import { useOutbox } from "#components/shell/use-outbox.ts";
import type { Snapshot } from "#contracts/snapshot.ts";
import { Tile } from "./tile.tsx";
import { tileFigures } from "./tile-figures.ts";
import css from "./tiles.module.css";

const LOADING = [
  ["Oldest pending", "/messages?state=unsent"],
  ["Pending", "/messages?state=pending"],
  ["Failed, will retry", "/messages?state=failed"],
  ["Dead", "/messages?state=dead"],
  ["Published", "/messages?state=published"],
  ["Relays", "/relays"],
] as const;

export function Tiles({ snapshot, unknown }: { snapshot: Snapshot | undefined; unknown: boolean }) {
  const { href } = useOutbox();
  const missing = unknown ? "–" : undefined;
  return (
    <section className={css.tiles} aria-label="Figures" aria-busy={snapshot === undefined && !unknown}>
      {snapshot === undefined
        ? LOADING.map(([label, path]) => (
            <Tile key={label} label={label} value={missing} tone="rest" href={href(path)} />
          ))
        : tileFigures(snapshot).map(({ path, ...tile }) => <Tile key={tile.label} {...tile} href={href(path)} />)}
    </section>
  );
}
