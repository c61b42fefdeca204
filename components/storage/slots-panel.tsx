import { DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatBytes } from "#domain/format.ts";
import { formatBytesOf } from "./format-bytes-of.ts";
import css from "./storage.module.css";

type Slot = Storage["slots"][number];

/** Log that the server keeps for readers, of every database on it. */
export function SlotsPanel({ slots }: { slots: readonly Slot[] }) {
  const [first] = slots;
  if (!first) return null;
  const limit = first.limitBytes === null ? "no limit" : `max_slot_wal_keep_size ${formatBytes(first.limitBytes)}`;
  return (
    <Panel title="Replication slots" aside={`Log kept, ${limit}`} flush>
      <DataTable
        caption="Replication slots and the log that is kept for them"
        rows={slots}
        rowKey={({ name }) => name}
        columns={[
          {
            key: "slot",
            header: "Slot",
            clip: true,
            width: "45%",
            cell: ({ name }) => <span title={name}>{name}</span>,
          },
          { key: "whose", header: "Whose", hideOnPhone: true, cell: ({ isOurs }) => (isOurs ? "ours" : "other") },
          { key: "state", header: "State", cell: (slot) => <State {...slot} /> },
          { key: "kept", header: "Log kept", align: "right", cell: ({ keptBytes }) => formatBytesOf(keptBytes) },
        ]}
      />
    </Panel>
  );
}

function State({ isActive, pid, walStatus }: Slot) {
  if (walStatus === "lost") return <span className={css.warn}>lost</span>;
  return isActive ? `active, pid ${pid ?? "unknown"}` : <span className={css.warn}>inactive</span>;
}
