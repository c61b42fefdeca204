import { Button } from "@mantine/core";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { EmptyPage } from "#components/lists/empty-page.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Figure } from "#contracts/common.ts";
import type { MessageList } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";
import { TAB_WORDS } from "../list/tabs.ts";
import type { HeldList } from "../list/use-message-list.ts";

type PartRead = NonNullable<MessageList["partial"]>;

interface TabEmptyProps {
  filters: MessageFilters;
  list: HeldList;
  /** How many messages are in this state. */
  figure: Figure | undefined;
  /** The page is not the list's first. */
  later: boolean;
  onFirst: () => void;
  onClear: () => void;
}

/** Explains an empty list: what would be shown, that filters may hide it, or that the table was not read to its end. */
export function TabEmpty({ filters, list, figure, later, onFirst, onClear }: TabEmptyProps) {
  const words = TAB_WORDS[filters.state];
  const asOf = list.list !== undefined && (
    <>
      {" "}
      As of <Instant at={list.list.asOf} /> UTC.
    </>
  );
  const { partial, unread } = list.list ?? {};
  if (unread)
    return (
      <EmptyState title="Not every message can be read.">
        {unread}
        {asOf}
      </EmptyState>
    );
  if (partial) {
    return (
      <EmptyState title={partial.read === 0 ? "This table is too large to read." : "Nothing found so far."}>
        {describeRead(partial)}
        {asOf}
        {partial.index !== "" && (
          <>
            {" "}
            {/;\s*\S/.test(partial.index) ? "These indexes make" : "This index makes"} the list complete:
            <CodeBlock text={partial.index} label="the SQL of the index" />
          </>
        )}
      </EmptyState>
    );
  }
  if (later) return <EmptyPage onFirst={onFirst} asOf={asOf} />;
  if (Object.keys(filters.fields).length === 0) {
    const title = figure?.precision === "unknown" ? `No row is known to be ${words.label.toLowerCase()}.` : words.empty;
    return (
      <EmptyState title={title}>
        {words.meaning}
        {asOf}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing matches these filters." action={<Button onClick={onClear}>Clear the filters</Button>}>
      No message in “{words.label}” matches. Messages in other states may: the other tabs keep the filters.{asOf}
    </EmptyState>
  );
}

function describeRead({ read, skipped }: PartRead): string {
  if (read === 0) return "Without an index this list would read the whole table.";
  const none = `${formatCount(read)} entries were read and none matches`;
  return skipped ? `${none}; the others were not read.` : `${none}; the next page continues.`;
}
