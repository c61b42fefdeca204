import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { OutboxList } from "#contracts/outbox/outboxes.ts";
import { formatCount, formatMs } from "#domain/format.ts";
import css from "./fleet.module.css";

type Store = OutboxList["stores"][number];

/** The stores: address, response time, and anything that affects their figures. */
export function StoresPanel({ stores }: { stores: readonly Store[] }) {
  return (
    <Panel title="Stores" aside="as of each store's last read" flush>
      <div id="stores">
        <DataTable caption="Stores" columns={COLUMNS} rows={stores} rowKey={(store) => store.name} />
      </div>
    </Panel>
  );
}

const COLUMNS: readonly Column<Store>[] = [
  {
    key: "store",
    header: "Store",
    cell: (store) => (
      <>
        <b>{store.name}</b>
        <span className={css.addressOnPhone}>{store.address}</span>
      </>
    ),
  },
  {
    key: "kind",
    header: "Kind",
    hideOnPhone: true,
    cell: (store) => (
      <>
        {store.kind} <span className="muted">{store.address}</span>
      </>
    ),
  },
  {
    key: "outboxes",
    header: "Outboxes",
    align: "right",
    hideOnPhone: true,
    cell: (store) => formatCount(store.outboxes),
  },
  {
    key: "broken",
    header: "Not delivering",
    align: "right",
    cell: (store) => <span className={store.notDelivering > 0 ? "tone-bad" : "muted"}>{store.notDelivering}</span>,
  },
  {
    key: "answers",
    header: "Answers in",
    align: "right",
    cell: (store) => {
      if (!store.answers) return <span className="tone-bad">no answer</span>;
      if (store.answersMs !== null) return formatMs(store.answersMs);
      return store.outboxes > 0 ? <span className="tone-bad">no figures</span> : <span className="muted">–</span>;
    },
  },
  {
    key: "clock",
    header: "Clock",
    align: "right",
    hideOnPhone: true,
    cell: (store) => (store.clockOffsetMs === null ? <span className="muted">–</span> : offset(store.clockOffsetMs)),
  },
  {
    key: "note",
    header: "Notes",
    width: "40%",
    hideOnPhone: true,
    cell: (store) => <span className={css.cause}>{store.note ?? readUnitsText(store) ?? "–"}</span>,
  },
];

function readUnitsText({ readUnits }: Store): string | null {
  if (readUnits === null) return null;
  return `${formatCount(Math.ceil(readUnits.used))} of ${formatCount(readUnits.perMinute)} read units a minute used`;
}

/** "+2 ms": how far the console's clock is ahead of the database's. */
function offset(valueMs: number): string {
  const rounded = Math.round(valueMs);
  return `${rounded < 0 ? "−" : "+"}${formatMs(Math.abs(rounded))}`;
}
