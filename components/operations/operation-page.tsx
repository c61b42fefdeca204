"use client";

import { IconArrowLeft } from "@tabler/icons-react";
import Link from "next/link";
import { ApiError } from "#components/api/api-error.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { usePageTitle } from "#components/ui/page/use-page-title.ts";
import type { Operation } from "#contracts/message/operations.ts";
import { BulkView } from "./bulk-view.tsx";
import { describeBulk } from "./describe-bulk.ts";
import css from "./operation.module.css";
import { useOperationWatch } from "./queries/use-operation-watch.ts";
import { describeSingle, SingleView } from "./single-view.tsx";

/** One operation: what goes on, how far it is, which messages, what was asked and what happened. */
export function OperationPage({ id }: { id: string }) {
  const { href } = useOutbox();
  const { query, failure } = useOperationWatch(id);
  const operation = query.data;
  usePageTitle(operation && titleOf(operation));
  const missing = failure instanceof ApiError && failure.status === 404;
  return (
    <>
      <Link className={css.back} href={href("/operations")}>
        <IconArrowLeft size={14} aria-hidden /> Operations
      </Link>
      {missing && operation === undefined && (
        <EmptyState heading title="There is no operation with this id.">
          It may belong to a store that is no longer configured.
        </EmptyState>
      )}
      {failure !== null && !missing && (
        <>
          {operation === undefined && <h1 className="visually-hidden">Operation</h1>}
          <ErrorNote
            title={
              operation === undefined
                ? "The operation could not be read."
                : "The operation could not be read again. It is shown as last read."
            }
            error={failure}
            tone={operation === undefined ? "bad" : "warn"}
            onRetry={() => void query.refetch()}
          />
        </>
      )}
      {operation === undefined && failure === null && (
        <>
          <h1 className="visually-hidden">Operation</h1>
          <div className={css.skeleton} aria-busy />
        </>
      )}
      {operation !== undefined &&
        (operation.bulk === null ? (
          <SingleView operation={operation} />
        ) : (
          <BulkView operation={operation} bulk={operation.bulk} />
        ))}
    </>
  );
}

/** As the page's heading, with the outbox: several operations are open in tabs. */
function titleOf(operation: Operation): string {
  const { bulk, outbox } = operation;
  const heading = bulk === null ? describeSingle(operation) : describeBulk({ ...operation, bulk }).text;
  return `${heading} · ${outbox}`;
}
