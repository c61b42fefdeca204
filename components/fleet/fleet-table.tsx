import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { VerdictBadge } from "#components/ui/badges/verdict-badge.tsx";
import { formatUtcInFull } from "#components/ui/format/format-instant.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Age } from "#components/ui/values/age.tsx";
import { Figure } from "#components/ui/values/figure.tsx";
import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import type { Series } from "#contracts/outbox/snapshot.ts";
import { formatRate } from "#domain/format.ts";
import { causeOf } from "./cause-of.ts";
import css from "./fleet.module.css";
import { waitingOf } from "./fleet-figures.ts";
import { toneOfOldest, toneOfRates, toneOfRelays } from "./row-tones.ts";
import { Sparkline } from "./sparkline.tsx";

interface FleetTableProps {
  outboxes: readonly OutboxSummary[];
  /** Outboxes that show their last known figures. */
  old: ReadonlySet<string>;
  stores: OutboxList["stores"];
  series: ReadonlyMap<string, Series>;
}

/** One row per outbox. Its first cause is printed in full, never truncated. */
export function FleetTable({ outboxes, old, stores, series }: FleetTableProps) {
  const kinds = new Set(stores.map((store) => store.kind)).size > 1 ? stores : [];
  return (
    <DataTable
      dense
      caption="All outboxes, worst first"
      columns={columnsOf(new Map(kinds.map((store) => [store.name, store.kind])), series)}
      rows={outboxes}
      rowKey={(row) => row.name}
      rowProps={(row) => ({ "data-testid": "fleet-row", "data-word": row.verdict.word, ...oldProps(row, old) })}
    />
  );
}

/** An outbox that cannot be read shows its last figures, greyed, with their age. */
function oldProps(row: OutboxSummary, old: ReadonlySet<string>) {
  if (!old.has(row.name) || row.figures === null) return {};
  return { className: css.old, title: `Figures as of ${formatUtcInFull(row.figures.asOf)} UTC` };
}

const dash = <span className="muted">–</span>;
const toned = (tone: string | undefined) => (tone === undefined ? undefined : `tone-${tone}`);
const quietZero = (value: number) => (value === 0 ? "muted" : undefined);

function columnsOf(
  kinds: ReadonlyMap<string, string>,
  series: ReadonlyMap<string, Series>,
): readonly Column<OutboxSummary>[] {
  return [
    { key: "state", header: "State", cell: (row) => <VerdictBadge word={row.verdict.word} /> },
    {
      key: "outbox",
      header: "Outbox",
      cell: (row) => (
        <Link className={css.name} href={outboxHref("/", row.name)} title={`${row.table}, ${row.shape}`}>
          <b>{row.name}</b>
        </Link>
      ),
    },
    {
      key: "store",
      header: "Store",
      className: css.whenWide,
      cell: (row) => (
        <>
          {row.store} <span className="muted">{kinds.get(row.store)}</span>
        </>
      ),
    },
    {
      key: "oldest",
      header: "Oldest",
      align: "right",
      cell: (row) => (
        <span className={toned(toneOfOldest(row))}>
          <Age seconds={row.figures?.oldestPendingSeconds} />
        </span>
      ),
    },
    {
      key: "waiting",
      header: "Waiting",
      align: "right",
      cell: (row) => (row.figures === null ? dash : <Figure {...waitingOf(row)} />),
    },
    {
      key: "spark",
      header: "In / out per second",
      className: css.whenWide,
      cell: (row) => <RowSpark series={series.get(row.name)} />,
    },
    {
      key: "rates",
      header: <span className={css.onlyNarrow}>In / out</span>,
      align: "right",
      cell: (row) => <Rates row={row} />,
    },
    {
      key: "failing",
      header: "Failing",
      align: "right",
      className: css.whenWide,
      cell: (row) =>
        row.figures === null ? (
          dash
        ) : (
          <span className={quietZero(row.figures.failed.value)}>{<Figure {...row.figures.failed} />}</span>
        ),
    },
    {
      key: "dead",
      header: "Dead",
      align: "right",
      cell: (row) =>
        row.figures === null ? (
          dash
        ) : (
          <span className={row.figures.dead.value > 0 ? "tone-dead" : "muted"}>{<Figure {...row.figures.dead} />}</span>
        ),
    },
    {
      key: "relays",
      header: "Relays",
      align: "right",
      cell: (row) =>
        row.figures?.relays ? (
          <span className={toned(toneOfRelays(row))}>
            {row.figures.relays.alive} of {row.figures.relays.known}
          </span>
        ) : (
          dash
        ),
    },
    {
      key: "cause",
      header: "First cause",
      width: "99%",
      cell: (row) => <span className={css.cause}>{causeOf(row)}</span>,
    },
  ];
}

function RowSpark({ series }: { series: Series | undefined }) {
  return (
    <Sparkline
      samples={series?.samples}
      fromMs={series === undefined ? 0 : Date.parse(series.from)}
      toMs={series === undefined ? 1 : Date.parse(series.to)}
      stepSeconds={series?.stepSeconds ?? 1}
    />
  );
}

function Rates({ row }: { row: OutboxSummary }) {
  if (row.figures === null) return dash;
  const print = (value: number | null) => (value === null ? "–" : formatRate(value));
  return (
    <>
      {print(row.figures.inPerSecond)} <span className="muted">/</span>{" "}
      <span className={toned(toneOfRates(row))}>{print(row.figures.outPerSecond)}</span>
    </>
  );
}
