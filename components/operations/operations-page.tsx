"use client";

import { useQuery } from "@tanstack/react-query";
import { EmptyPage } from "#components/lists/empty-page.tsx";
import { Paging } from "#components/lists/paging.tsx";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { Segmented } from "#components/ui/controls/segmented.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { MissingNotes } from "#components/ui/notices/missing-notes.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import css from "./operations.module.css";
import { OperationsTable } from "./operations-table.tsx";
import { operationsQuery } from "./queries/operation-queries.ts";

/** Every operation of this outbox, or of all. */
export function OperationsPage() {
  const { name, list, isPending } = useOutbox();
  const { params, change } = useAddress();
  const several = (list?.outboxes.length ?? 0) > 1;
  const all = several && params.get("of") === "all";
  const cursor = params.get("cursor") ?? undefined;
  const options = operationsQuery(all ? undefined : name, cursor);
  const failure = useFailure(options.queryKey);
  const query = useQuery({ ...options, ...liveOptions(useLive()), enabled: name !== undefined });
  const { data } = query;
  return (
    <>
      <PageHeader
        title="Operations"
        lead="Who acted on which messages, why, and what came of it."
        actions={
          several && name !== undefined ? (
            <Segmented
              label="Outboxes"
              options={[
                { value: "one", label: name },
                { value: "all", label: "All outboxes" },
              ]}
              value={all ? "all" : "one"}
              onChange={(value) => change({ of: value === "all" ? value : undefined, cursor: undefined })}
            />
          ) : undefined
        }
      />
      {failure !== null && (
        <div className={css.error}>
          <SilenceNote
            title="The operations could not be read."
            error={failure}
            asOf={data?.asOf}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      <MissingNotes sentences={data?.missing} />
      {name === undefined && !isPending ? (
        <NoOutbox />
      ) : (
        <Panel flush className={failure === null ? undefined : "last-known"}>
          {data?.operations.length === 0 ? (
            <OperationsEmpty
              asOf={data.asOf}
              isWhole={data.missing.length === 0}
              later={cursor !== undefined}
              onFirst={() => change({ cursor: undefined })}
            />
          ) : (
            (data !== undefined || failure === null) && <OperationsTable operations={data?.operations} several={all} />
          )}
          <Paging cursor={cursor} nextCursor={data?.nextCursor ?? null} onGo={(next) => change({ cursor: next })} />
        </Panel>
      )}
    </>
  );
}

function OperationsEmpty({
  asOf,
  isWhole,
  later,
  onFirst,
}: {
  asOf: string;
  isWhole: boolean;
  later: boolean;
  onFirst: () => void;
}) {
  if (later && isWhole) return <EmptyPage onFirst={onFirst} />;
  return (
    <EmptyState title={isWhole ? "Nobody has acted on messages yet." : "No operation is in the stores that were read."}>
      Every action on messages appears here, with its progress and outcome. As of <Instant at={asOf} /> UTC.
    </EmptyState>
  );
}
