"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { decodedQuery } from "#components/api/message-queries.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";

/** Payload and headers as the server decoded them; asked again only when they have changed. */
export function useDecoded(outbox: string, { message, payload, headers }: MessageDetail) {
  const stored = useMemo(() => [payload, headers].map(fingerprintOf).join(" "), [payload, headers]);
  const isCut = payload?.truncated || headers?.truncated;
  return useQuery({
    ...decodedQuery(outbox, message.id, isCut ? `${stored} ${message.version}` : stored),
    enabled: payload !== null || headers !== null,
  });
}

/** FNV-1a over the stored text: most changes of a row's version leave its payload as it is. */
function fingerprintOf(stored: MessageDetail["payload"]): string {
  if (stored === null) return "none";
  let hash = 0x811c9dc5;
  for (let at = 0; at < stored.text.length; at += 1) hash = Math.imul(hash ^ stored.text.charCodeAt(at), 0x01000193);
  return `${stored.totalBytes}-${hash >>> 0}`;
}
