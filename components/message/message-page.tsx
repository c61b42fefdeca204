"use client";

import { IconArrowLeft } from "@tabler/icons-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { OperationAsk } from "#components/action/operation-dialog.tsx";
import { useActionScope } from "#components/action/use-action-scope.ts";
import { ApiError } from "#components/api/api-error.ts";
import { pressTool } from "#components/lists/tool-button.tsx";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { editPath } from "./correction-button.tsx";
import { correctionRefusal } from "./correction-refusal.ts";
import css from "./message.module.css";
import { actionRefusal } from "./message-actions.tsx";
import { MessageBody } from "./message-body.tsx";
import { MessageHeader } from "./message-header.tsx";
import { useMessage } from "./queries/use-message.ts";

const OperationDialog = lazyDialog(() =>
  import("#components/action/operation-dialog.tsx").then((module) => module.OperationDialog),
);

export function MessagePage({ id }: { id: string }) {
  const { name, href, isPending, error } = useOutbox();
  return (
    <>
      <Link className={css.back} href={href("/messages")}>
        <IconArrowLeft size={14} aria-hidden /> Messages
      </Link>
      {name !== undefined && <KnownOutbox outbox={name} id={id} />}
      {name === undefined && isPending && <div className={css.skeleton} aria-busy />}
      {name === undefined &&
        !isPending &&
        (error === null ? <NoOutbox /> : <ErrorNote title="The message could not be read." error={error} />)}
    </>
  );
}

function KnownOutbox({ outbox, id }: { outbox: string; id: string }) {
  const { detail, failure, why } = useMessage(outbox, id);
  const data = detail.data;
  if (data === undefined) {
    if (failure === null) return <div className={css.skeleton} aria-busy />;
    return <NotFound id={id} outbox={outbox} error={failure} onRetry={() => void detail.refetch()} />;
  }
  return (
    <>
      {failure !== null && (
        <div className={css.notice}>
          <ErrorNote
            tone="warn"
            title="The message could not be read again. It is shown as last read."
            error={failure}
          />
        </div>
      )}
      <Known outbox={outbox} detail={data} why={why} />
    </>
  );
}

interface KnownProps {
  outbox: string;
  detail: MessageDetail;
  why: ReturnType<typeof useMessage>["why"];
}

function Known({ outbox, detail, why }: KnownProps) {
  const scope = useActionScope(outbox);
  const router = useRouter();
  const { href } = useOutbox();
  const [ask, setAsk] = useState<OperationAsk | undefined>(undefined);

  function askFor(action: MessageAction) {
    if (!tellRefusal(actionRefusal(action, detail, scope))) setAsk({ action, messages: [detail.message] });
  }

  function edit() {
    if (!tellRefusal(correctionRefusal(detail, scope))) router.push(href(editPath(detail.message.id)));
  }

  useShortcuts([
    { key: "r", description: "Retry this message", group: "Message", run: () => askFor("retry") },
    { key: "e", description: "Archive this message", group: "Message", run: () => askFor("archive") },
    { key: "d", description: "Dead-letter this message", group: "Message", run: () => askFor("dead-letter") },
    { key: "u", description: "Restore this message", group: "Message", run: () => askFor("restore") },
    { key: "c", description: "Edit this message and send a corrected copy", group: "Message", run: edit },
    { key: "y", description: "Copy this message as…", group: "Message", run: () => pressTool("copy") },
  ]);
  return (
    <>
      <MessageHeader outbox={outbox} detail={detail} scope={scope} onAsk={askFor} />
      <MessageBody outbox={outbox} detail={detail} why={why} />
      {ask !== undefined && (
        <OperationDialog outbox={outbox} ask={ask} scope={scope} onClose={() => setAsk(undefined)} />
      )}
    </>
  );
}

interface NotFoundProps {
  id: string;
  outbox: string;
  error: Error;
  onRetry: () => void;
}

function NotFound({ id, outbox, error, onRetry }: NotFoundProps) {
  const { href } = useOutbox();
  const missing = error instanceof ApiError && error.status === 404;
  if (!missing) {
    return <ErrorNote title="The message could not be read." error={error} onRetry={onRetry} />;
  }
  return (
    <EmptyState title={`There is no message ${id} in ${outbox}.`}>
      It never existed, was deleted after publishing, or was purged. It may also be in another outbox.{" "}
      <Link className={css.search} href={href("/messages", { state: "all", q: id })}>
        Look for messages with {id} as their aggregate or type.
      </Link>
    </EmptyState>
  );
}
