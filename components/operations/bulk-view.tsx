"use client";

import { PageHeader } from "#components/ui/page/page-header.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Bulk, Operation } from "#contracts/message/operations.ts";
import { sentence } from "#domain/format.ts";
import { AskedPanel } from "./asked-panel.tsx";
import { describeBulk } from "./describe-bulk.ts";
import { ItemsPanel } from "./items/items-panel.tsx";
import { OutcomeBar } from "./items/outcome-bar.tsx";
import { NewSince } from "./new-since.tsx";
import css from "./operation.module.css";
import { OperationCommands } from "./operation-commands.tsx";
import { TimelinePanel } from "./timeline-panel.tsx";

/** An operation over many messages. */
export function BulkView({ operation, bulk }: { operation: Operation; bulk: Bulk }) {
  const { params, change } = useAddress();
  const { text, tone, advice } = describeBulk({ action: operation.action, bulk });

  function hrefOf(tab: string): string {
    const next = new URLSearchParams(params);
    next.delete("cursor");
    next.set("outcome", tab);
    return `?${next}`;
  }

  return (
    <>
      <PageHeader
        title={<span className={tone === "bad" ? "tone-bad" : undefined}>{text}</span>}
        lead={
          <>
            {operation.outbox}: {bulk.selection}. <bdi>{operation.actor}</bdi>, <Instant at={operation.at} />:{" "}
            {operation.reason}
          </>
        }
        actions={<OperationCommands key={operation.id} operation={operation} bulk={bulk} />}
      />
      {(bulk.note !== null || advice !== undefined) && (
        <p className={css.note} data-tone={tone ?? "warn"} role="status">
          {bulk.note !== null && <b>{sentence(bulk.note)}</b>} {advice}
        </p>
      )}
      <OutcomeBar
        action={operation.action}
        bulk={bulk}
        hrefOf={hrefOf}
        onChoose={(outcome) => change({ outcome, cursor: undefined })}
      >
        {bulk.filter !== null && bulk.filter.from === undefined && bulk.filter.to === undefined && (
          <NewSince operation={operation} filter={bulk.filter} />
        )}
      </OutcomeBar>
      <div className={css.split}>
        <ItemsPanel operation={operation} bulk={bulk} />
        <div className={css.aside}>
          <AskedPanel operation={operation} bulk={bulk} />
          <TimelinePanel timeline={bulk.timeline} />
        </div>
      </div>
    </>
  );
}
