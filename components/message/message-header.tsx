import type { ActionScope } from "#components/action/plan-action.ts";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { ShortId } from "#components/ui/values/short-id.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import { CorrectionLinks } from "./correction-links.tsx";
import css from "./message.module.css";
import { MessageActions } from "./message-actions.tsx";
import { MessageFacts } from "./message-facts.tsx";
import { TraceLine } from "./trace-line.tsx";

interface MessageHeaderProps {
  outbox: string;
  detail: MessageDetail;
  scope: ActionScope;
  onAsk: (action: MessageAction) => void;
}

export function MessageHeader({ outbox, detail, scope, onAsk }: MessageHeaderProps) {
  const { message } = detail;
  return (
    <header className={css.header}>
      <div className={css.title}>
        <StateBadge state={message.state} />
        <h1 title={message.eventType ?? undefined}>
          <bdi>{message.eventType || "Message without a type"}</bdi>
        </h1>
        <ShortId id={message.id} head={26} tail={8} />
        {message.rawStatus !== null && (
          <span className="muted">
            {message.state === "archived" ? "was" : "status"} {message.rawStatus}
          </span>
        )}
      </div>
      <MessageFacts detail={detail} long />
      <TraceLine trace={detail.trace} />
      <CorrectionLinks correction={detail.correction} />
      {detail.claim !== null && (
        <p className="muted">
          {detail.claim.expired ? "An expired claim of" : "Claimed by"} {detail.claim.owner}
        </p>
      )}
      <MessageActions outbox={outbox} detail={detail} scope={scope} onAsk={onAsk} />
    </header>
  );
}
