import type { InboxSummary } from "#contracts/outbox/inboxes.ts";

interface Choice {
  /** The page's outbox. */
  outbox: string | undefined;
  /** The inbox that the address names. */
  asked: string | undefined;
}

/**
 * The inboxes in the order of the page, and the one that it shows. The outbox's own come first; the others follow,
 * because an inbox may serve several outboxes.
 */
export function chooseInbox(
  inboxes: readonly InboxSummary[],
  { outbox, asked }: Choice,
): { sorted: InboxSummary[]; current: InboxSummary | undefined } {
  const rank = (inbox: InboxSummary) => {
    if (outbox !== undefined && inbox.outboxes.includes(outbox)) return 0;
    return inbox.outboxes.length === 0 ? 1 : 2;
  };
  const sorted = [...inboxes].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  return { sorted, current: sorted.find((inbox) => inbox.name === asked) ?? sorted[0] };
}
