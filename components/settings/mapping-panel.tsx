import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { Badge } from "#components/ui/badges/badge.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Facts } from "#components/ui/values/facts.tsx";
import type { OutboxDetail } from "#contracts/outbox/outboxes.ts";
import { formatCount } from "#domain/format.ts";
import css from "./settings.module.css";

const CONFIDENCE: Record<OutboxDetail["shape"]["confidence"], string> = {
  exact: "every column fits this shape",
  likely: "most columns fit this shape",
  configured: "named in outbox.yaml",
};

const ORDERING: Record<OutboxDetail["capabilities"]["ordering"]["kind"], string> = {
  aggregate: "In order per aggregate",
  best_effort: "Best effort",
  none: "None",
};

type Role = OutboxDetail["roles"][number];

const COLUMNS: Column<Role>[] = [
  { key: "role", header: "Role", cell: (role) => role.role },
  { key: "column", header: "Column", cell: (role) => <span className="mono">{role.column}</span> },
  {
    key: "type",
    header: "Type",
    hideOnPhone: true,
    cell: (role) => <span className="mono muted">{role.type}</span>,
  },
  {
    key: "from",
    header: "From",
    cell: (role) => (role.from === "config" ? <Badge>outbox.yaml</Badge> : <span className="muted">shape</span>),
  },
];

/** Each column's role, and how the table marks a message's state. */
export function MappingPanel({ detail }: { detail: OutboxDetail }) {
  const { shape, capabilities } = detail;
  const ordering = capabilities.ordering;
  return (
    <Panel
      title="Mapping"
      aside={
        <Link className={`link ${css.try}`} href={outboxHref("/settings/mapping", detail.name)}>
          Try another mapping
        </Link>
      }
      flush
    >
      <div className={css.flush}>
        {shape.question !== null && (
          <ErrorNote tone="warn" title="To be confirmed:">
            {shape.question}
          </ErrorNote>
        )}
        <Facts
          facts={[
            [
              "Table",
              <span key="table" className="mono">
                {detail.table}
              </span>,
            ],
            ["Store", `${detail.store}, ${detail.storeAddress}`],
            ["Shape", `${shape.title}: ${CONFIDENCE[shape.confidence]}`],
            ["State", detail.lifecycle.text],
            [
              "Primary key",
              <span key="pk" className="mono">
                {detail.primaryKey.join(", ")}
              </span>,
            ],
            [
              "Order",
              ordering.reason === null ? ORDERING[ordering.kind] : `${ORDERING[ordering.kind]}: ${ordering.reason}`,
            ],
            ...(detail.readUnits
              ? ([
                  [
                    "Reads",
                    `${formatCount(Math.ceil(detail.readUnits.used))} of ${formatCount(detail.readUnits.perMinute)} capacity units of this minute`,
                  ],
                ] as const)
              : []),
            ["Attempts", capabilities.attemptsRecorded ? "recorded" : "not recorded by this table"],
          ]}
        />
      </div>
      <DataTable caption="Roles and their columns" columns={COLUMNS} rows={detail.roles} rowKey={(role) => role.role} />
    </Panel>
  );
}
