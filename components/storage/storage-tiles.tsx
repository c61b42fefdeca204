import type { ReactNode } from "react";
import { unitOf } from "#components/ui/format/format-figure.ts";
import { Figure } from "#components/ui/values/figure.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatBytes, formatCount, formatDuration, formatPlural } from "#domain/format.ts";
import { areManyDead, describeDeadRows } from "./dead-rows.ts";
import { formatBytesOf } from "./format-bytes-of.ts";
import css from "./storage.module.css";

/** Share of dead rows above which vacuum does not keep up. */
const MANY_DEAD = 0.2;
const SOON_DAYS = 30;

interface TileProps {
  label: string;
  value: ReactNode;
  note: ReactNode;
  tone?: "warn" | "rest" | undefined;
}

export function StorageTiles({ storage: { size, indexes, growth } }: { storage: Storage }) {
  const vacuumAt =
    [size.lastVacuumAt, size.lastAutovacuumAt]
      .filter((at) => at !== null)
      .sort()
      .at(-1) ?? null;
  const unused = indexes.filter(({ scans, isUnique }) => scans === 0 && !isUnique).length;
  return (
    <dl className={css.tiles}>
      <Tile
        label="Table"
        value={formatBytesOf(size.tableBytes)}
        note={
          <>
            {size.rows.precision === "unknown" ? (
              "rows unknown"
            ) : (
              <>
                <Figure {...size.rows} /> {unitOf(size.rows, "row")}
              </>
            )}
            {size.toastBytes ? ` · ${formatBytes(size.toastBytes)} TOAST` : ""}
          </>
        }
      />
      <Tile
        label="Indexes"
        value={formatBytesOf(size.indexBytes)}
        note={`${formatPlural(indexes.length, "index", "indexes")}${unused > 0 ? `, ${unused} unused` : ""}`}
      />
      <Growth growth={growth} />
      <Tile
        label="Until the limit"
        value={growth.daysLeft === null ? "–" : `≈ ${formatPlural(growth.daysLeft, "day")}`}
        note={limitNote(growth, size.totalBytes)}
        tone={growth.daysLeft === null ? "rest" : growth.daysLeft < SOON_DAYS ? "warn" : undefined}
      />
      <Tile
        label="Dead tuples"
        value={size.deadRows === null ? "–" : formatCount(size.deadRows)}
        note={describeDeadRows(size)}
        tone={size.deadRows === null ? "rest" : areManyDead(size, MANY_DEAD) ? "warn" : undefined}
      />
      <Tile
        label="Last vacuum"
        value={vacuumAt === null ? "–" : <Instant at={vacuumAt} />}
        note={size.deadRows === null ? "not in this store" : vacuumAt === null ? "never yet" : "manual or automatic"}
        tone={vacuumAt === null ? "rest" : undefined}
      />
    </dl>
  );
}

function Tile({ label, value, note, tone }: TileProps) {
  return (
    <div className={css.tile} data-tone={tone}>
      <dt>{label}</dt>
      <dd>
        <span>{value}</span>
        <small>{note}</small>
      </dd>
    </div>
  );
}

function Growth({ growth }: Pick<Storage, "growth">) {
  const { bytesPerDay, overSeconds } = growth;
  if (bytesPerDay === null) return <Tile label="Growth" value="–" note="known after 6 hours" tone="rest" />;
  const sign = bytesPerDay < 0 ? "−" : "";
  return (
    <Tile
      label="Growth"
      value={`${sign}${formatBytes(Math.abs(Math.round(bytesPerDay)))}`}
      note={`a day, over the last ${formatDuration(overSeconds)}`}
    />
  );
}

function limitNote({ limitBytes }: Storage["growth"], totalBytes: number | null): string {
  if (limitBytes === null) return "set storage.limitBytes";
  return `${formatBytesOf(totalBytes)} of ${formatBytes(limitBytes)}`;
}
