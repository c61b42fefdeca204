import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import type { Column } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Age } from "#components/ui/values/age.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { MissedMessage, Reconciliation } from "#contracts/outbox/reconciliation.ts";
import { formatCount, formatLimit, formatPlural } from "#domain/format.ts";
import { CheckTiles } from "./check-tiles.tsx";
import { FirstRows } from "./first-rows.tsx";
import css from "./reconciliation.module.css";
import { UncheckedNote } from "./unchecked-note.tsx";

type Pair = Reconciliation["outboxes"][number];

interface PairPanelProps {
  inbox: string;
  withinSeconds: number;
  keepsSeconds: number | null;
  pair: Pair;
}

/** One outbox's published messages, as they were looked up in the inbox. */
export function PairPanel({ inbox, withinSeconds, keepsSeconds, pair }: PairPanelProps) {
  const { outbox, check, unchecked } = pair;
  const checkedAt = check && (
    <>
      checked at <Instant at={check.asOf} /> UTC
    </>
  );
  return (
    <Panel title={`Published by ${outbox}, processed by ${inbox}`} aside={checkedAt ?? "not checked"} flush>
      {unchecked && (
        <div className={css.note}>
          <UncheckedNote unchecked={unchecked} hasOlder={check !== null} />
        </div>
      )}
      {check && (
        <div className={unchecked ? "last-known" : undefined}>
          <CheckTiles
            tiles={[
              ["Not processed", check.notProcessed.value, `of ${formatCount(check.checked)} looked up`, "warn"],
              ["Processed", check.processed, "in the inbox", null],
              ["Recent", check.recent, `within ${formatLimit(withinSeconds)}`, null],
              ["Not known", check.unknown, "rows may be removed", null],
            ]}
          />
          <p className={css.looked}>
            {check.looked} {unknownText(check, keepsSeconds)}
          </p>
          <Missed outbox={outbox} check={check} withinSeconds={withinSeconds} />
        </div>
      )}
    </Panel>
  );
}

function unknownText({ unknown, keptSince }: NonNullable<Pair["check"]>, keepsSeconds: number | null): string {
  if (unknown === 0) return "";
  const absent = `${formatPlural(unknown, "message")} without a row ${unknown === 1 ? "is" : "are"} not counted as missing, because`;
  if (keepsSeconds !== null)
    return `${absent} ${unknown === 1 ? "it is" : "they are"} older than the ${formatLimit(keepsSeconds)} for which the inbox keeps its rows.`;
  const oldest =
    keptSince === null ? "" : ` Its oldest processed row dates from ${keptSince.slice(0, 19).replace("T", " ")} UTC.`;
  return `${absent} the inbox may have removed old rows.${oldest} Set keeps in outbox.yaml to say how long it keeps them.`;
}

const SEEN_AS: Record<MissedMessage["seenAs"], string> = {
  absent: "no row",
  unprocessed: "received",
  failed: "failed",
};

function Missed({
  outbox,
  check,
  withinSeconds,
}: {
  outbox: string;
  check: NonNullable<Pair["check"]>;
  withinSeconds: number;
}) {
  const { notProcessed, messages, asOf } = check;
  if (notProcessed.value === 0)
    return (
      <EmptyState small title={`No message that was looked up waits longer than ${formatLimit(withinSeconds)}.`} />
    );
  return (
    <FirstRows
      caption={`Published messages of ${outbox} that are not processed`}
      columns={columns(outbox, asOf)}
      rows={messages}
      total={notProcessed.value}
      rowKey={({ id }) => id}
      testId="missed-message"
    />
  );
}

function columns(outbox: string, asOf: string): Column<MissedMessage>[] {
  return [
    { key: "state", header: "In the inbox", cell: ({ seenAs }) => SEEN_AS[seenAs] },
    {
      key: "type",
      header: "Type",
      hideOnPhone: true,
      cell: ({ eventType }) => (eventType === null ? <span className="muted">–</span> : <TypeName name={eventType} />),
    },
    {
      key: "message",
      header: "Message",
      width: "40%",
      cell: ({ id, eventId }) => (
        <Link
          className="link mono"
          title={eventId}
          prefetch={false}
          href={outboxHref(`/messages/${encodeURIComponent(id)}`, outbox)}
        >
          <bdi>{shortenId(eventId, 18, 6)}</bdi>
        </Link>
      ),
    },
    {
      key: "published",
      header: "Published",
      align: "right",
      hideOnPhone: true,
      cell: ({ publishedAt }) => <Instant at={publishedAt} />,
    },
    {
      key: "for",
      header: "Published for",
      align: "right",
      cell: ({ publishedAt, publishedSeconds }) => (
        <>
          {publishedAt === null && "at least "}
          <Age seconds={publishedSeconds} asOf={asOf} />
        </>
      ),
    },
  ];
}
