import type { MessageSelection } from "#contracts/message/operations.ts";

/**
 * The lists that a selection reads, one after the other: failing messages by their states, each in its own order. So is
 * a failure group over all states, because of a large table "all" would read every row.
 */
export function filtersOf(filter: MessageSelection): MessageSelection[] {
  const failing = filter.state === "failing" || (filter.state === "all" && filter.group !== undefined);
  if (!failing) return [filter];
  return [
    { ...filter, state: "failed" },
    { ...filter, state: "dead" },
  ];
}
