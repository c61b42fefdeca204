"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { apiGet } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { messageListSchema } from "#contracts/message/messages.ts";
import type { MessageSelection, Operation } from "#contracts/message/operations.ts";
import { formatMatching } from "./preview/preview-words.ts";

const PACE_MS = 5_000;

/** Messages created since the start that match the same filter: they are not part of the operation. */
export function NewSince({ operation, filter }: { operation: Operation; filter: MessageSelection }) {
  const { outbox, at } = operation;
  const { attemptsMin, ...rest } = filter;
  const params = {
    ...rest,
    ...(attemptsMin === undefined ? {} : { attemptsMin: String(attemptsMin) }),
    from: at,
  };
  const { data } = useQuery({
    queryKey: ["messages", outbox, "new-since", operation.id],
    queryFn: ({ signal }) =>
      apiGet(messageListSchema, outboxPath(outbox, "/messages"), { ...params, limit: 1 }, signal),
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
  });
  if (data === undefined || data.matching.precision === "unknown" || data.matching.value === 0) return null;
  return (
    <div>
      <dt>Created since it began</dt>
      <dd>
        <Link href={outboxHref("/messages", outbox, params)}>+{formatMatching(data.matching)}</Link>{" "}
        <small>not part of it</small>
      </dd>
    </div>
  );
}
