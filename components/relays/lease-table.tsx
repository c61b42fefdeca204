import { shortenId } from "#components/ui/format/shorten-id.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import { formatRanges, formatShare } from "./format-partitions.ts";

type Lease = RelayList["leases"][number];

export function LeaseTable({ leases }: { leases: readonly Lease[] }) {
  return (
    <DataTable
      caption="Leases"
      columns={COLUMNS}
      rows={leases}
      rowKey={(lease) => `${lease.outbox} ${lease.owner} ${lease.expired}`}
    />
  );
}

const COLUMNS: readonly Column<Lease>[] = [
  { key: "outbox", header: "Outbox", cell: (lease) => lease.outbox },
  {
    key: "partitions",
    header: "Partitions",
    hideOnPhone: true,
    cell: (lease) => <span title={formatRanges(lease.partitions)}>{formatShare(lease.partitions.length)}</span>,
  },
  {
    key: "owner",
    header: "Owner",
    width: "45%",
    cell: (lease) =>
      lease.owner === "" ? (
        <span className="muted">no owner</span>
      ) : (
        <span className="mono" title={lease.owner}>
          {shortenId(lease.owner, 24, 8)}
        </span>
      ),
  },
  { key: "epoch", header: "Epoch", align: "right", hideOnPhone: true, cell: (lease) => lease.epoch },
  {
    key: "until",
    header: "Until",
    align: "right",
    cell: (lease) =>
      lease.owner === "" ? (
        <span className="muted">–</span>
      ) : (
        <span className={lease.expired ? "tone-bad" : undefined}>
          <Instant at={lease.until} />
          {lease.expired && ", expired"}
        </span>
      ),
  },
];
