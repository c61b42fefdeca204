"use client";

import { useOutbox } from "#components/outbox/use-outbox.ts";
import { tileFigures } from "#components/tiles/tile-figures.ts";
import { TileRow } from "#components/tiles/tile-row.tsx";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";

const LOADING = [
  ["Oldest not published", "/messages?state=unsent"],
  ["Pending", "/messages?state=pending"],
  ["Failed", "/messages?state=failed"],
  ["Dead", "/messages?state=dead"],
  ["Published", "/messages?state=published"],
  ["Relays", "/relays"],
] as const;

export function Tiles({ snapshot, unknown }: { snapshot: Snapshot | undefined; unknown: boolean }) {
  const { href } = useOutbox();
  const missing = unknown ? "–" : undefined;
  if (snapshot === undefined) {
    const tiles = LOADING.map(([label, path]) => ({
      label,
      value: missing,
      note: "",
      tone: "rest" as const,
      path: href(path),
    }));
    return <TileRow tiles={tiles} busy={!unknown} />;
  }
  return <TileRow tiles={tileFigures(snapshot).map((tile) => ({ ...tile, path: href(tile.path) }))} />;
}
