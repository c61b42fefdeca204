import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { FailureGroup } from "#contracts/message/messages.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import { useDeploys } from "./group-deploys.tsx";
import css from "./group-memory.module.css";

interface GroupHoursProps {
  outbox: string;
  group: FailureGroup;
  /** Every failure was read. */
  complete: boolean;
  asOf: string;
}

const DAY_MS = 86_400_000;

/** When the group's messages began to fail, by hour. */
export function GroupHours({ outbox, group: { newByHour }, complete, asOf }: GroupHoursProps) {
  const deploys = useDeploys(outbox) ?? [];
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
            {deploys.map(({ id, at, service, version }) => {
              const share = 1 - (Date.parse(asOf) - Date.parse(at)) / DAY_MS;
              const inside = share >= 0 && share <= 1;
              return (
                inside && (
                  <span
                    key={id}
                    title={`deploy ${service} ${version}`}
                    style={{ left: `${100 * share}%` }}
                    data-deploy
                  />
                )
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
