import { Tile, type TileProps } from "./tile.tsx";
import css from "./tiles.module.css";

/** Figures in one row, each a link to its messages. Paths are complete. */
export function TileRow({
  tiles,
  busy = false,
}: {
  tiles: readonly (Omit<TileProps, "href"> & { path: string })[];
  busy?: boolean;
}) {
  return (
    <section className={css.tiles} aria-label="Figures" aria-busy={busy}>
      {tiles.map(({ path, ...tile }) => (
        <Tile key={tile.label} {...tile} href={path} />
      ))}
    </section>
  );
}
