import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { formatCount } from "#domain/format.ts";

/** No group was found, but not every failure was read: different from having no failures. */
export function UnreadGroups({ read, index, small }: { read: number; index: string | null; small?: boolean }) {
  const title = read === 0 ? "Failures of this table cannot be read." : "No failure found so far.";
  return (
    <EmptyState title={title} {...(small ? { small } : {})}>
      {read === 0
        ? "Without an index, reading them would scan the whole table."
        : `The newest ${formatCount(read)} entries were read, and there are more.`}
      {index !== null && <CodeBlock text={index} label="the SQL of the index" />}
    </EmptyState>
  );
}
