import { Button } from "@mantine/core";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { formatUtcTime } from "#components/ui/format-instant.ts";
import type { MessageFilters } from "./message-filters.ts";
import { TAB_WORDS } from "./tabs.ts";
import type { HeldList } from "./use-message-list.ts";

interface TabEmptyProps {
  filters: MessageFilters;
  list: HeldList;
  onClear: () => void;
}

/** Says what would be here; with filters, that it may be the filters. */
export function TabEmpty({ filters, list, onClear }: TabEmptyProps) {
  const words = TAB_WORDS[filters.state];
  const asOf = list.list === undefined ? "" : ` As of ${formatUtcTime(list.list.asOf)} UTC.`;
  if (Object.keys(filters.fields).length === 0) {
    return <EmptyState title={words.empty}>{words.meaning + asOf}</EmptyState>;
  }
  return (
    <EmptyState title="Nothing here matches." action={<Button onClick={onClear}>Clear the filters</Button>}>
      No message in “{words.label}” matches these filters. It may be in another state: the tabs keep the filters.{asOf}
    </EmptyState>
  );
}
