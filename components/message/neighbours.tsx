"use client";

import Link from "next/link";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { ShortId } from "#components/ui/values/short-id.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./message.module.css";

/** The messages of the same aggregate around this one, oldest first. */
export function Neighbours({ detail }: { detail: MessageDetail }) {
  const { href } = useOutbox();
  const { message, neighbours, neighboursUnread: unread } = detail;
  if (message.aggregateId === null)
    return <p className="muted">No aggregate is known: no column is mapped as its id, or the row has none.</p>;
  if (neighbours.length <= 1)
    return <p className="muted">{unread ?? "The table has no other message of its aggregate."}</p>;
  return (
    <>
      <ul className={css.list}>
        {neighbours.map((neighbour) => {
          const self = neighbour.id === message.id;
          return (
            <li key={neighbour.id} data-self={self || undefined}>
              <span className={css.neighbour}>
                <StateBadge state={neighbour.state} />
                {self ? (
                  <b>{neighbour.eventType === null ? "no type" : <TypeName name={neighbour.eventType} />}</b>
                ) : (
                  <Link href={href(`/messages/${encodeURIComponent(neighbour.id)}`)} className="link" prefetch={false}>
                    {neighbour.eventType === null ? "no type" : <TypeName name={neighbour.eventType} />}
                  </Link>
                )}
                {self ? <span className="muted">this one</span> : <ShortId id={neighbour.id} copy={false} />}
              </span>
              <span className={css.when}>
                <Instant at={neighbour.createdAt} />
              </span>
            </li>
          );
        })}
      </ul>
      {unread !== null && <p className="muted">{unread}</p>}
    </>
  );
}
