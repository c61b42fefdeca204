import type { MessageList, MessageQuery } from "#contracts/message/messages.ts";
import { AppError } from "#domain/errors.ts";
import type { Actor } from "#domain/operator.ts";
import { requireErrorSearch } from "../masking/require-error-search.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { atLeast, lacksOwnTables } from "../outboxes/own-tables.ts";
import { whyUnread } from "../outboxes/why-unread.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { requireTraces } from "./require-traces.ts";

/**
 * One page of messages and the number that match. Throws: not_found, invalid_input, forbidden (searching masked
 * errors), wrong_state (no traces to search), filter_not_indexed, unavailable, query_timeout.
 */
export async function listMessages(input: {
  runtime: Runtime;
  outbox: string;
  query: MessageQuery;
  actor?: Actor;
}): Promise<MessageList> {
  const handle = await input.runtime.outbox(input.outbox);
  if (input.actor) await requireErrorSearch(handle, input.actor, input.query);
  requireKey(handle.mapping.primaryKey.length, handle.name);
  requireTraces(handle, input.query);
  const { cursor, limit, count, ...filter } = input.query;
  const request = { filter, cursor, limit, count: count !== "0" };
  const { rows, matching, recordedOnly, ...page } = await outboxOf(handle).read.list(request);
  return {
    messages: rows,
    ...page,
    unread: whyUnread(handle),
    recordedOnly: { value: recordedOnly.value, precision: recordedOnly.capped ? "capped" : "exact" },
    matching: isUntold(handle, filter.state) ? UNKNOWN_COUNT : matchingOf(handle, matching),
  };
}

const UNKNOWN_COUNT = { value: 0, precision: "unknown" } as const;

/** No row shows that it is in such a state, so that none found is not none. */
function isUntold({ mapping }: OutboxHandle, state: MessageQuery["state"]): boolean {
  return mapping.lifecycle.kind === "untold" && ["unsent", "pending", "published"].includes(state);
}

function matchingOf(
  handle: OutboxHandle,
  matching: { value: number; capped: boolean } | null,
): MessageList["matching"] {
  if (matching === null || handle.catalog.rowSecurity) return UNKNOWN_COUNT;
  if (lacksOwnTables(handle)) return atLeast(matching);
  return { value: matching.value, precision: matching.capped ? "capped" : "exact" };
}

export function requireKey(keyLength: number, outbox: string): void {
  if (keyLength > 0) return;
  throw new AppError(
    "wrong_state",
    `The table of outbox ${outbox} has no primary key: its messages cannot be identified. Add one to list them.`,
  );
}
