import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import type { FailureGroupList } from "#contracts/message/messages.ts";
import { formatCount } from "#domain/format.ts";

type UnreadList = Pick<FailureGroupList, "read" | "index" | "unread">;

/** No group was found, but not every failure was read: different from having no failures. */
export function UnreadGroups({ list, small }: { list: UnreadList; small?: boolean }) {
  const { read, index, unread } = list;
  const size = small ? { small } : {};
  if (unread !== null) {
    return (
      <EmptyState title="Not every failure can be read." {...size}>
        {unread}
      </EmptyState>
    );
  }
  const title = read === 0 ? "Failures of this table cannot be read." : "No failure found so far.";
  return (
    <EmptyState title={title} {...size}>
      {read === 0
        ? "Without an index, reading them would scan the whole table."
        : `The newest ${formatCount(read)} entries were read, and there are more.`}
      {index !== null && <CodeBlock text={index} label="the SQL of the index" />}
    </EmptyState>
  );
}
