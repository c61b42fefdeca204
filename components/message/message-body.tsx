import { AuditTable } from "#components/audit/audit-table.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import { AttemptTimeline } from "./attempt-timeline.tsx";
import { MaskingNote } from "./masking/masking-note.tsx";
import { useRevealed } from "./masking/use-revealed.ts";
import css from "./message.module.css";
import { Neighbours } from "./neighbours.tsx";
import { PauseControls } from "./pause-controls.tsx";
import { PayloadView } from "./payload/payload-view.tsx";
import type { useMessage } from "./queries/use-message.ts";
import { RegisteredEvent } from "./registered-event.tsx";
import { Sightings } from "./sightings.tsx";
import { WhyBox } from "./why-box.tsx";

interface MessageBodyProps {
  outbox: string;
  detail: MessageDetail;
  why: ReturnType<typeof useMessage>["why"];
}

/** Left: the contents; right: what happened and which consumers have it; below: the audit. */
export function MessageBody({ outbox, detail: masked, why }: MessageBodyProps) {
  const { detail, decoded, error, shown, mask } = useRevealed(outbox, masked);
  const source = { outbox, id: detail.message.id, error };
  const { registered } = detail;
  const later = detail.laterPublished ?? 0;
  return (
    <div className={css.grid}>
      <div className={css.column}>
        <WhyBox why={why} />
        <PauseControls message={detail.message} />
        <MaskingNote {...mask} />
        <Panel>
          <PayloadView
            part="payload"
            payload={detail.payload}
            decoded={decoded?.payload}
            source={source}
            shown={shown.payload}
            told={mask.masking?.reasons}
          />
        </Panel>
        <Panel>
          <PayloadView
            part="headers"
            payload={detail.headers}
            decoded={decoded?.headers}
            source={source}
            shown={shown.headers}
            told={mask.masking?.reasons}
          />
        </Panel>
        {registered !== null && (
          <Panel>
            <RegisteredEvent registered={registered} />
          </Panel>
        )}
        {detail.columns.length > 0 && <Columns columns={detail.columns} />}
      </div>
      <div className={css.column}>
        <Panel>
          <AttemptTimeline detail={detail} />
        </Panel>
        <Panel>
          <Sightings sightings={detail.sightings} />
        </Panel>
        <Panel
          title="Same aggregate"
          aside={later > 0 ? `${formatPlural(later, "later one")} published` : "rows of the table"}
        >
          <Neighbours detail={detail} />
        </Panel>
        <Panel title="Audit" flush>
          {detail.audit.length === 0 ? (
            <EmptyState small title="Nobody has acted on this message." />
          ) : (
            <AuditTable entries={detail.audit} compact />
          )}
        </Panel>
      </div>
    </div>
  );
}

function Columns({ columns }: Pick<MessageDetail, "columns">) {
  return (
    <Panel title="Other columns" aside={formatPlural(columns.length, "column")}>
      <dl className={css.columns}>
        {columns.map((column) => (
          <div key={column.name}>
            <dt className="mono">{column.name}</dt>
            <dd className="mono">{column.value ?? <span className="muted">null</span>}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
