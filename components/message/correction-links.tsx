"use client";

import Link from "next/link";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./message.module.css";

/** The corrected copy of this message, or the message that it corrects. */
export function CorrectionLinks({ correction }: Pick<MessageDetail, "correction">) {
  const { href } = useOutbox();
  const link = (id: string) => (
    <Link className={`mono ${css.link}`} href={href(`/messages/${encodeURIComponent(id)}`)} prefetch={false} title={id}>
      {shortenId(id, 18, 6)}
    </Link>
  );
  const { copyId, originalId } = correction;
  return (
    <>
      {copyId !== null && (
        <p>A corrected copy was sent instead: {link(copyId)}. This message stays unchanged and is not sent again.</p>
      )}
      {originalId !== null && <p>This is a corrected copy of {link(originalId)}; the original is kept unchanged.</p>}
    </>
  );
}
