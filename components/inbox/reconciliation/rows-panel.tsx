import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import type { Column } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { Reconciliation, UnmatchedRow } from "#contracts/outbox/reconciliation.ts";
import { formatCount } from "#domain/format.ts";
import { CheckTiles } from "./check-tiles.tsx";
import { FirstRows } from "./first-rows.tsx";
import css from "./reconciliation.module.css";
import { UncheckedNote } from "./unchecked-note.tsx";

interface RowsPanelProps {
  inbox: string;
  outboxes: readonly string[];
  rows: Reconciliation["rows"];
}

/** Rows of the inbox, as they were looked for in its outboxes. */
export function RowsPanel({ inbox, outboxes, rows: { check, unchecked } }: RowsPanelProps) {
  const checkedAt = check && (
    <>
      checked at <Instant at={check.asOf} /> UTC
    </>
  );
  return (
    <Panel title={`Received by ${inbox}, known to ${outboxes.join(", ")}`} aside={checkedAt ?? "not checked"} flush>
      {unchecked && (
        <div className={css.note}>
          <UncheckedNote unchecked={unchecked} hasOlder={check !== null} />
        </div>
      )}
      {check && (
        <div className={unchecked ? "last-known" : undefined}>
          <CheckTiles
            tiles={[
              ["Of no message", check.unmatched.value, `of ${formatCount(check.checked)} looked for`, "warn"],
              ["Of a message", check.known, "outbox, dead letters, archive", null],
              ["Not known", check.unknown, "messages may be removed", null],
            ]}
          />
          <p className={css.looked}>{check.looked}</p>
          {check.unmatched.value === 0 ? (
            <EmptyState small title="Every row that can be judged belongs to a message." />
          ) : (
            <FirstRows
              caption={`Rows of ${inbox} whose message no outbox holds`}
              columns={columns(inbox, outboxes[0])}
              rows={check.rows}
              total={check.unmatched.value}
              rowKey={({ id }) => id}
              testId="unmatched-row"
            />
          )}
        </div>
      )}
    </Panel>
  );
}

const NONE = <span className="muted">–</span>;

const columns = (inbox: string, outbox: string | undefined): readonly Column<UnmatchedRow>[] => [
  {
    key: "message",
    header: "Message id",
    width: "45%",
    cell: ({ messageId }) => (
      <Link
        className="link mono"
        title={messageId}
        prefetch={false}
        href={outboxHref("/inbox", outbox, { inbox, q: messageId })}
      >
        <bdi>{shortenId(messageId, 18, 6)}</bdi>
      </Link>
    ),
  },
  {
    key: "type",
    header: "Type",
    hideOnPhone: true,
    cell: ({ eventType }) => (eventType === null ? NONE : <TypeName name={eventType} />),
  },
  { key: "consumer", header: "Consumer", hideOnPhone: true, cell: ({ consumer }) => consumer ?? NONE },
  { key: "at", header: "Received", align: "right", cell: ({ at }) => <Instant at={at} /> },
];
