"use client";

import { IconArrowLeft } from "@tabler/icons-react";
import Link from "next/link";
import { useState } from "react";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { correctionRefusal } from "#components/message/correction-refusal.ts";
import { MaskingNote } from "#components/message/masking/masking-note.tsx";
import { useRevealed } from "#components/message/masking/use-revealed.ts";
import { useMessage } from "#components/message/queries/use-message.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./correction.module.css";
import { Editor } from "./editor.tsx";
import { WhatItDoes } from "./what-it-does.tsx";

/** The editor of a corrected copy: first the text, then the difference, then the reason. */
export function EditPage({ id }: { id: string }) {
  const { name, href, isPending } = useOutbox();
  return (
    <>
      <Link className={css.back} href={href(`/messages/${encodeURIComponent(id)}`)}>
        <IconArrowLeft size={14} aria-hidden /> The message
      </Link>
      {name === undefined ? (
        isPending ? (
          <div className={css.skeleton} aria-busy />
        ) : (
          <>
            <h1 className="visually-hidden">Edit and retry</h1>
            <NoOutbox />
          </>
        )
      ) : (
        <OfOutbox outbox={name} id={id} />
      )}
    </>
  );
}

function OfOutbox({ outbox, id }: { outbox: string; id: string }) {
  const { detail, failure } = useMessage(outbox, id);
  const data = detail.data;
  if (data !== undefined) return <Loaded outbox={outbox} now={data} />;
  if (failure === null) return <div className={css.skeleton} aria-busy />;
  return (
    <>
      <h1 className="visually-hidden">Edit and retry</h1>
      <ErrorNote title="The message could not be read." error={failure} onRetry={() => void detail.refetch()} />
    </>
  );
}

/** Edits the text as it was when the page opened; `now` is the message's present state. */
function Loaded({ outbox, now }: { outbox: string; now: MessageDetail }) {
  const [opened] = useState(now);
  const { detail, shown, mask } = useRevealed(outbox, opened);
  const isMasked = [shown.payload, shown.headers].some((part) => part === "masked" || part === "hidden");
  const [isSent, setSent] = useState(false);
  const scope = useActionScope(outbox);
  const refusal = isSent ? undefined : correctionRefusal(now, scope);
  // A database that is silent for a moment takes no letter from whoever is typing.
  const lastingRefusal = isSent ? undefined : correctionRefusal(now, { ...scope, silent: false });
  const { message } = now;
  // A refusal that arrives later would push the text down under the pointer.
  const isKnown = scope.silent || (scope.actor !== undefined && scope.outbox !== undefined);
  if (!isKnown) return <div className={css.skeleton} aria-busy />;
  return (
    <>
      <header className={css.header}>
        <h1>
          Send a corrected copy of <bdi>{message.eventType || "a message"}</bdi>
          {message.aggregateId !== null && <bdi>{`, ${message.aggregateId}`}</bdi>}
        </h1>
        <p className={css.lead}>
          <StateBadge state={message.state} /> {message.lastError ?? "no error recorded"}
        </p>
      </header>
      {refusal !== undefined && (
        <p className={css.refusal} role="status">
          {refusal}
        </p>
      )}
      <div className={css.grid}>
        {isMasked ? (
          <MaskingNote {...mask} />
        ) : (
          <Editor
            outbox={outbox}
            opened={detail}
            refusal={refusal}
            fixed={lastingRefusal !== undefined}
            onSent={() => setSent(true)}
          />
        )}
        <WhatItDoes detail={now} />
      </div>
    </>
  );
}
