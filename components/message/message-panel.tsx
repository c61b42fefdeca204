"use client";

import { IconExternalLink, IconX } from "@tabler/icons-react";
import Link from "next/link";
import type { ActionScope } from "#components/action/plan-action.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { ShortId } from "#components/ui/values/short-id.tsx";
import type { MessageDetail, MessageSummary } from "#contracts/message/messages.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { AttemptTimeline } from "./attempt-timeline.tsx";
import { CorrectionLinks } from "./correction-links.tsx";
import { MaskingNote } from "./masking/masking-note.tsx";
import { useRevealed } from "./masking/use-revealed.ts";
import css from "./message.module.css";
import { MessageActions } from "./message-actions.tsx";
import { MessageFacts } from "./message-facts.tsx";
import { PayloadView } from "./payload/payload-view.tsx";
import { useMessage } from "./queries/use-message.ts";
import { Sightings } from "./sightings.tsx";
import { TraceLine } from "./trace-line.tsx";
import { WhyBox } from "./why-box.tsx";

interface MessagePanelProps {
  outbox: string;
  id: string;
  scope: ActionScope;
  onAsk: (action: MessageAction, messages: readonly MessageSummary[]) => void;
  onClose: () => void;
}

/** In order: what it is, why it is not moving, what to do, its contents, what happened, which consumers have it. */
export function MessagePanel({ outbox, id, scope, onAsk, onClose }: MessagePanelProps) {
  const { href } = useOutbox();
  const { detail, failure, why } = useMessage(outbox, id);
  const data = detail.data;
  return (
    <aside className={css.panel} aria-label="Message" data-testid="message-panel" data-message-id={id}>
      <div className={css.panelHead}>
        {data !== undefined && <StateBadge state={data.message.state} />}
        <span className={css.panelTools}>
          <ShortId id={id} head={8} tail={6} />
          <Link
            className={css.tool}
            href={href(`/messages/${encodeURIComponent(id)}`)}
            prefetch={false}
            aria-label="Open the message's page"
          >
            <IconExternalLink size={15} aria-hidden />
          </Link>
          <button type="button" className={css.tool} onClick={onClose} aria-label="Close the panel">
            <IconX size={15} aria-hidden />
          </button>
        </span>
      </div>
      {failure !== null && (
        <ErrorNote
          tone={data === undefined ? "bad" : "warn"}
          title={
            data === undefined
              ? "The message could not be read."
              : "The message could not be read again. It is shown as last read."
          }
          error={failure}
          onRetry={() => void detail.refetch()}
        />
      )}
      {data === undefined && failure === null && <div className={css.skeleton} aria-busy />}
      {data !== undefined && <PanelBody outbox={outbox} detail={data} why={why} scope={scope} onAsk={onAsk} />}
    </aside>
  );
}

interface PanelBodyProps extends Pick<MessagePanelProps, "outbox" | "scope" | "onAsk"> {
  detail: MessageDetail;
  why: ReturnType<typeof useMessage>["why"];
}

function PanelBody({ outbox, detail: masked, why, scope, onAsk }: PanelBodyProps) {
  const { detail, decoded, error, shown, mask } = useRevealed(outbox, masked);
  return (
    <>
      <MessageFacts detail={detail} />
      <TraceLine trace={detail.trace} />
      <CorrectionLinks correction={detail.correction} />
      <WhyBox why={why} />
      <MessageActions
        outbox={outbox}
        detail={detail}
        scope={scope}
        onAsk={(action) => onAsk(action, [detail.message])}
      />
      <MaskingNote {...mask} />
      <PayloadView
        part="payload"
        payload={detail.payload}
        decoded={decoded?.payload}
        source={{ outbox, id: detail.message.id, error }}
        shown={shown.payload}
        told={mask.masking?.reasons}
      />
      <AttemptTimeline detail={detail} />
      <Sightings sightings={detail.sightings} />
    </>
  );
}
