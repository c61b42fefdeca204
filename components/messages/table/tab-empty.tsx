import { Button } from "@mantine/core";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { formatUtcTime } from "#components/ui/format-instant.ts";
import { formatCount } from "#domain/format.ts";
import { TAB_WORDS } from "../list/tabs.ts";
import type { HeldList } from "../list/use-message-list.ts";

interface TabEmptyProps {
  filters: MessageFilters;
  list: HeldList;
  onClear: () => void;
}

/** Explains an empty list: what would be shown, that filters may hide it, or that the table was not read to its end. */
export function TabEmpty({ filters, list, onClear }: TabEmptyProps) {
  const words = TAB_WORDS[filters.state];
  const asOf = list.list === undefined ? "" : ` As of ${formatUtcTime(list.list.asOf)} UTC.`;
  const partial = list.list?.partial;
  if (partial) {
    return (
      <EmptyState title={partial.read === 0 ? "This table is too large to read." : "Nothing found so far."}>
        {partial.read === 0
          ? `Without an index this list would read the whole table.${asOf}`
          : `${formatCount(partial.read)} entries were read and none matches; the next page continues.${asOf}`}
        {partial.index !== "" && (
          <>
            {" "}
            This index makes the list complete:
            <CodeBlock text={partial.index} label="the SQL of the index" />
          </>
        )}
      </EmptyState>
    );
  }
  if (Object.keys(filters.fields).length === 0) {
    return <EmptyState title={words.empty}>{words.meaning + asOf}</EmptyState>;
  }
  return (
    <EmptyState title="Nothing matches these filters." action={<Button onClick={onClear}>Clear the filters</Button>}>
      “{words.label}” has no such message. It may be in another state: the tabs keep the filters.{asOf}
    </EmptyState>
  );
}
