"use client";

import { IconExternalLink } from "@tabler/icons-react";
import Link from "next/link";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { CopyButton } from "#components/ui/controls/copy-button.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./message.module.css";

/** The trace in which the message was written, with links to where it is shown and to the messages of it. */
export function TraceLine({ trace }: Pick<MessageDetail, "trace">) {
  const { href } = useOutbox();
  if (trace === null) return null;
  return (
    <p className={css.trace}>
      <span className="muted">Trace</span>
      {trace.url === null ? (
        <span className="mono">{trace.id}</span>
      ) : (
        <a className="mono" href={trace.url} target="_blank" rel="noopener noreferrer">
          {trace.id} <IconExternalLink size={13} aria-hidden />
        </a>
      )}
      <CopyButton text={trace.id} label="Copy the trace id" />
      <Link className="link" href={href(`/messages?state=all&traceId=${trace.id}`)} prefetch={false}>
        Messages of this trace
      </Link>
    </p>
  );
}
