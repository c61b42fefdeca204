import { ApiError } from "#components/api/api-error.ts";
import type { MessageTab } from "#components/filters/message-filters.ts";
import { sumFigures } from "#components/ui/format/sum-figures.ts";
import type { Figure } from "#contracts/common.ts";
import type { MessageList } from "#contracts/message/messages.ts";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { UNSENT_STATES } from "#domain/message/message-state.ts";

interface TabWords {
  label: string;
  /** What the tab would show. */
  empty: string;
  meaning: string;
}

export const TAB_WORDS: Record<MessageTab, TabWords> = {
  all: {
    label: "All states",
    empty: "There are no messages.",
    meaning: "Every message of the table, the dead letters and the archive, newest first.",
  },
  unsent: {
    label: "Not published",
    empty: "Nothing is waiting to be published.",
    meaning: "Messages that are pending, failed or in flight, oldest first.",
  },
  pending: {
    label: "Pending",
    empty: "No message waits without a failed attempt.",
    meaning: "Messages without a failed attempt, due now or scheduled for later.",
  },
  in_flight: {
    label: "In flight",
    empty: "Nothing is being published right now.",
    meaning: "Messages being published right now. Most are in flight for a few milliseconds.",
  },
  failed: {
    label: "Failed",
    empty: "No unsent message has a failed attempt.",
    meaning: "Messages with at least one failed attempt that are not dead, as far as the table shows.",
  },
  failing: {
    label: "Failed and dead",
    empty: "Nothing has failed.",
    meaning: "Failed messages that are not sent yet, and dead ones.",
  },
  dead: {
    label: "Dead",
    empty: "There are no dead letters.",
    meaning: "Messages that the relay or an operator gave up on. They stay until someone acts.",
  },
  published: {
    label: "Published",
    empty: "This table keeps no published messages.",
    meaning: "Messages that are marked as published. They stay until they are archived or removed.",
  },
  archived: {
    label: "Archived",
    empty: "The archive is empty.",
    meaning: "Messages taken out of the outbox. They can be restored until they are purged.",
  },
  expired: {
    label: "Expired",
    empty: "Nothing has expired.",
    meaning: "Messages that expired before they were sent.",
  },
  unknown: {
    label: "Unknown",
    empty: "Every row shows whether it was sent.",
    meaning: "Rows that do not show, by this mapping, whether they were sent.",
  },
};

/** Also those that are counted separately when filters are set. */
export const USUAL_TABS: readonly MessageTab[] = [
  "all",
  "unsent",
  "pending",
  "in_flight",
  "failed",
  "dead",
  "published",
  "archived",
];

export type TabCounts = Readonly<Partial<Record<MessageTab, Figure>>>;

export interface TabCount {
  tab: MessageTab;
  label: string;
  /** undefined while unknown. */
  count: Figure | undefined;
}

/**
 * Expired and unknown have a tab only if they have messages or the address asks for them; failed and dead together, if
 * the address does.
 */
export function listTabs(counts: TabCounts, current: MessageTab): TabCount[] {
  const rare = (["expired", "unknown"] as const).filter((tab) => tab === current || (counts[tab]?.value ?? 0) > 0);
  const asked = current === "failing" ? [current] : [];
  return [...USUAL_TABS, ...asked, ...rare].map((tab) => ({ tab, label: TAB_WORDS[tab].label, count: counts[tab] }));
}

/**
 * Of one tab with filters; unknown where only a scan of the table could count them. A count that could not be read
 * again is not shown: nothing beside it would say how old it is.
 */
export function countOf(list: Pick<MessageList, "matching"> | undefined, error: unknown): Figure | undefined {
  if (error === null) return list?.matching;
  const isRefused = error instanceof ApiError && error.code === "filter_not_indexed";
  return isRefused ? { value: 0, precision: "unknown" } : undefined;
}

/** Counts of all tabs from one snapshot, without filters. */
export function countsOfSnapshot({ counts }: Pick<Snapshot, "counts">): TabCounts {
  return {
    ...counts,
    unsent: sumFigures(UNSENT_STATES.map((state) => counts[state])),
    failing: sumFigures([counts.failed, counts.dead]),
    all: sumFigures(Object.values(counts)),
  };
}
