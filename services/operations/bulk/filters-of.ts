import type { MessageSelection } from "#contracts/operations.ts";

/**
 * The lists that a selection reads, one after the other. A failure group over all states is read by the states that
 * failures have: of a large table, "all" would read every row.
 */
export function filtersOf(filter: MessageSelection): MessageSelection[] {
  if (filter.state !== "all" || filter.group === undefined) return [filter];
  return [
    { ...filter, state: "failed" },
    { ...filter, state: "dead" },
  ];
}
