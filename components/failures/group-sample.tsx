"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { ApiError } from "#components/api/api-error.ts";
import { messageQuery } from "#components/api/message-queries.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { describeAttempts } from "#components/messages/table/row-note.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./group.module.css";

/**
 * A failure of the group with its whole error: the newest one when the page was opened. A newer one replaces it only on
 * request, so that the text does not change under its reader.
 */
export function GroupSample({ outbox, newestId }: { outbox: string; newestId: string }) {
  const { href } = useOutbox();
  const [chosenId, choose] = useState(newestId);
  const id = chosenId === "" ? newestId : chosenId;
  const error = useFailure(messageQuery(outbox, id).queryKey);
  const { data, isPlaceholderData } = useQuery({
    ...messageQuery(outbox, id),
    enabled: id !== "",
    staleTime: 10_000,
    // The last sample stays until the next one is read.
    placeholderData: keepPreviousData,
  });
  // The chosen message may be deleted meanwhile; one that is only not answered stays.
  if (error instanceof ApiError && error.status === 404 && id !== newestId) choose(newestId);
  if (id === "") return null;
  const text = data?.message.lastError ?? data?.firstError ?? null;
  return (
    <Panel
      title={isPlaceholderData ? "Sample in full, the newest follows" : "Sample in full"}
      aside={
        <span className={css.asides}>
          {id !== newestId && (
            <button type="button" className={css.more} onClick={() => choose(newestId)}>
              show the newest
            </button>
          )}
          <Link
            className={css.more}
            prefetch={false}
            href={href(`/messages/${encodeURIComponent(data?.message.id ?? id)}`)}
          >
            open the message
          </Link>
        </span>
      }
    >
      {data === undefined && error === null && <div className={css.skeleton} aria-busy />}
      {error !== null && <ErrorNote tone="warn" title="The sample could not be read." error={error} />}
      {data !== undefined && (
        <>
          <Facts detail={data} />
          {text === null ? (
            <EmptyState small title="No error was recorded for it." />
          ) : (
            <CodeBlock text={text} label="the error" />
          )}
        </>
      )}
    </Panel>
  );
}

function Facts({ detail }: { detail: MessageDetail }) {
  const { message, attempts } = detail;
  const last = attempts.findLast((attempt) => attempt.outcome === "failed" || attempt.outcome === "dead");
  return (
    <p className={css.sampleFacts}>
      {message.eventType || "no type"}
      {message.aggregateId !== null && (
        <>
          {" of "}
          <bdi className="mono">{message.aggregateId}</bdi>
        </>
      )}
      {message.attempts !== null && `, attempt ${describeAttempts(message)}`}
      {last !== undefined && (
        <>
          {last.durationMs !== null && `, after ${Math.round(last.durationMs)} ms`}
          {last.sink !== null && ` by ${last.sink}`}
          {last.relay !== null && ` through ${last.relay}`}
          {", "}
          <Instant at={last.startedAt} />
        </>
      )}
    </p>
  );
}
