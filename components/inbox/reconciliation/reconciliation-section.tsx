"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { readBefore } from "#components/live/read-before.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import type { InboxSummary } from "#contracts/outbox/inboxes.ts";
import type { Reconciliation } from "#contracts/outbox/reconciliation.ts";
import { PairPanel } from "./pair-panel.tsx";
import css from "./reconciliation.module.css";
import { reconciliationQuery } from "./reconciliation-query.ts";
import { RowsPanel } from "./rows-panel.tsx";

/** Checks run once a minute. */
const PACE_MS = 10_000;

/** A check that was read while the page was rendered. */
export interface FirstCheck {
  check: Reconciliation;
  asOf: string;
}

interface SectionProps {
  inbox: InboxSummary;
  first: FirstCheck | undefined;
}

/** Which published messages the consumer has not processed, and which rows of the inbox no outbox knows. */
export function ReconciliationSection({ inbox: { name, processWithinSeconds }, first }: SectionProps) {
  return (
    <div className={css.stack}>
      {processWithinSeconds === null ? (
        <NotChecked inbox={name} />
      ) : (
        <Checks inbox={name} withinSeconds={processWithinSeconds} first={first} />
      )}
    </div>
  );
}

interface ChecksProps {
  inbox: string;
  withinSeconds: number;
  first: FirstCheck | undefined;
}

function Checks({ inbox, withinSeconds, first }: ChecksProps) {
  const options = reconciliationQuery(inbox);
  const failure = useFailure(options.queryKey);
  const query = useQuery({
    ...options,
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
    ...(first !== undefined && readBefore(first.check, first.asOf)),
  });
  const { data } = query;
  return (
    <>
      {failure !== null && (
        <ErrorNote
          title="What the consumer has processed could not be read."
          error={failure}
          onRetry={() => void query.refetch()}
        />
      )}
      {data === undefined && failure === null && <div className={css.skeleton} aria-busy />}
      {data !== undefined && (
        <div className={failure === null ? css.stack : `${css.stack} last-known`}>
          {data.outboxes.map((pair) => (
            <PairPanel
              key={pair.outbox}
              inbox={inbox}
              withinSeconds={withinSeconds}
              keepsSeconds={data.keepsSeconds}
              pair={pair}
            />
          ))}
          <RowsPanel inbox={inbox} outboxes={data.outboxes.map(({ outbox }) => outbox)} rows={data.rows} />
        </div>
      )}
    </>
  );
}

/** One line; what to add is fetched when someone asks. */
function NotChecked({ inbox }: { inbox: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...reconciliationQuery(inbox), enabled: isOpen });
  const failure = useFailure(reconciliationQuery(inbox).queryKey);
  const suggestion = query.data?.suggestion;
  return (
    <details className={css.unchecked} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Whether the consumer of {inbox} processes what is published is not checked.{" "}
        <span className="link">What to add</span>
      </summary>
      {failure !== null && <ErrorNote title="The lines could not be read." error={failure} />}
      {suggestion && (
        <>
          <p className={css.text}>
            {suggestion.outboxes.length > 0 &&
              `Does it receive the messages of ${suggestion.outboxes.join(" or of ")}? `}
            Add these lines to outbox.yaml to switch the check on:
          </p>
          <CodeBlock text={suggestion.yaml} label="the lines" />
        </>
      )}
    </details>
  );
}
