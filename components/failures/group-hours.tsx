import { EmptyState } from "#components/ui/empty-state.tsx";
import { Panel } from "#components/ui/panel.tsx";
import type { FailureGroup } from "#contracts/messages.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import css from "./group-memory.module.css";

interface GroupHoursProps {
  group: FailureGroup;
  /** Every failure was read. */
  complete: boolean;
}

/** When the group's messages began to fail, by hour. */
export function GroupHours({ group: { newByHour }, complete }: GroupHoursProps) {
  const most = Math.max(0, ...(newByHour ?? []));
  const total = newByHour?.reduce((sum, count) => sum + count, 0) ?? 0;
  const extent = complete ? "" : " at least, not all were read";
  return (
    <Panel
      title="New failures, 24 h"
      aside={newByHour === null ? undefined : `messages that fail now, by hour${extent}`}
    >
      {newByHour === null ? (
        <EmptyState small title="Not known: the table does not record when these messages began to fail." />
      ) : (
        <>
          <div
            className={css.hours}
            role="img"
            aria-label={`${formatPlural(total, "message")} began to fail in the last 24 hours, ${formatCount(newByHour.at(-1) ?? 0)} of them in the last hour; the most within an hour: ${formatCount(most)}`}
          >
            {newByHour.map((count, index) => {
              const ago = newByHour.length - 1 - index;
              return (
                <i
                  key={ago}
                  title={`${formatCount(count)}, ${ago + 1} to ${ago} h ago`}
                  style={{ height: count === 0 ? 0 : `${Math.max(2, (100 * count) / most)}%` }}
                />
              );
            })}
          </div>
          <p className={css.axis} aria-hidden>
            <span>24 h ago</span>
            <span>most {formatCount(most)} an hour</span>
            <span>now</span>
          </p>
        </>
      )}
    </Panel>
  );
}
