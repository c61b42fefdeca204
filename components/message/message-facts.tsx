import { formatBothClocks } from "#components/ui/format/format-instant.ts";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { isAhead, RowAge } from "#components/ui/values/age.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./message.module.css";

/** "order.placed of order-48213, created 03:03:03, 2 m 11 s ago" */
export function MessageFacts({ detail, long = false }: { detail: MessageDetail; long?: boolean }) {
  const { message } = detail;
  const aggregate = message.aggregateId && shortenId(message.aggregateId, long ? 80 : 24, 8);
  const start = long && aggregate === null ? "C" : ", c";
  return (
    <p className={css.facts}>
      {!long && (
        <b>
          <bdi>{message.eventType || "no type"}</bdi>
        </b>
      )}
      {aggregate !== null && (
        <>
          {long ? "Of " : " of "}
          {long && message.aggregateType !== null && `${message.aggregateType} `}
          {aggregate === "" ? (
            "an empty aggregate id"
          ) : (
            <bdi className="mono" title={message.aggregateId ?? undefined}>
              {aggregate}
            </bdi>
          )}
        </>
      )}
      {message.createdAt === null ? (
        `${start}reation time not recorded`
      ) : (
        <>
          {`${start}reated `}
          {long ? formatBothClocks(message.createdAt) : <Instant at={message.createdAt} />}
          {message.ageSeconds !== null && (
            <>
              {", "}
              <RowAge seconds={message.ageSeconds} asOf={detail.asOf} />
              {!isAhead(message.ageSeconds) && " ago"}
            </>
          )}
        </>
      )}
      {message.publishedAt !== null && (
        <>
          {", published "}
          <Instant at={message.publishedAt} />
        </>
      )}
      {message.archivedAt !== null && (
        <>
          {", archived "}
          <Instant at={message.archivedAt} />
        </>
      )}
      {message.nextAttemptAt !== null && message.state === "failed" && (
        <>
          {message.nextAttemptAt > detail.asOf ? ", next attempt " : ", due for its next attempt since "}
          <Instant at={message.nextAttemptAt} />
        </>
      )}
    </p>
  );
}
