"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { apiPost } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { DecodedMessage } from "#contracts/message/payloads.ts";
import { type Revealed, revealedSchema } from "#contracts/message/reveal.ts";
import { useDecoded } from "../payload/use-decoded.ts";

export type Shown = "whole" | "masked" | "hidden" | "revealed";

/** A message with what was revealed of it, for as long as the page shows it. Nothing of it is kept elsewhere. */
export function useRevealed(outbox: string, masked: MessageDetail) {
  const { id } = masked.message;
  const decoded = useDecoded(outbox, masked);
  const [kept, setKept] = useState<{ id: string; revealed: Revealed } | null>(null);
  const reveal = useMutation({
    mutationFn: (reason: string) =>
      apiPost(revealedSchema, outboxPath(outbox, `/messages/${encodeURIComponent(id)}/reveal`), { reason }),
    onSuccess: (revealed) => setKept({ id, revealed }),
  });
  const revealed = kept !== null && kept.id === id ? kept.revealed : null;
  const hide = () => setKept(null);
  const { masking } = masked;
  return {
    detail: revealed ? withRevealed(masked, revealed.message) : masked,
    decoded: (revealed?.decoded ?? decoded.data) as DecodedMessage | undefined,
    error: revealed ? null : decoded.error,
    shown: {
      payload: shownOf(masking?.payload, revealed !== null),
      headers: shownOf(masking?.headers, revealed !== null),
    },
    mask: { masking, isRevealed: revealed !== null, reveal, hide },
  };
}

function shownOf(part: "whole" | "masked" | "hidden" | undefined, isRevealed: boolean): Shown {
  if (part === undefined || part === "whole") return "whole";
  return isRevealed ? "revealed" : part;
}

function withRevealed(now: MessageDetail, then: MessageDetail): MessageDetail {
  const { payload, headers, columns, firstError } = then;
  const attempts = then.attempts.length === now.attempts.length ? then.attempts : now.attempts;
  return { ...now, payload, headers, columns, firstError, attempts };
}
