"use client";

import { Button, TextInput } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { inboxRetentionPreviewQuery, retentionPreviewQuery } from "#components/api/queries.ts";
import { unitOf } from "#components/ui/format/format-figure.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { Facts } from "#components/ui/values/facts.tsx";
import { Figure } from "#components/ui/values/figure.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { InboxRetentionPreview, RetentionPreview, Storage } from "#contracts/outbox/storage.ts";
import { formatBytes, formatCount } from "#domain/format.ts";
import css from "./storage.module.css";

const DAY_SECONDS = 86_400;

/** Asks what would go now, for a time that is set or one to try. */
export function DryRun({ outbox, retention }: { outbox: string; retention: Storage["retention"] }) {
  const [asked, setAsked] = useState<number | null>(null);
  const query = useQuery({
    ...retentionPreviewQuery(outbox, { keepDays: asked ?? 0, how: retention.how }),
    enabled: asked !== null,
  });
  return (
    <Asking keepSeconds={retention.keepSeconds ?? 0} asked={asked} onAsk={setAsked} query={query}>
      {query.data !== undefined && <Preview preview={query.data} />}
    </Asking>
  );
}

interface InboxDryRunProps {
  inbox: string;
  keepSeconds: number;
  /** The refusal that stands above it; it is not said twice. */
  told: string | null;
}

/** The same for an inbox, with the time that it must keep its rows. */
export function InboxDryRun({ inbox, keepSeconds, told }: InboxDryRunProps) {
  const [asked, setAsked] = useState<number | null>(null);
  const query = useQuery({ ...inboxRetentionPreviewQuery(inbox, asked ?? 0), enabled: asked !== null });
  return (
    <Asking keepSeconds={keepSeconds} asked={asked} onAsk={setAsked} query={query}>
      {query.data !== undefined && (
        <>
          {query.data.refusal !== null && query.data.refusal !== told && (
            <ErrorNote tone="warn" title="A run would remove nothing.">
              {query.data.refusal}
            </ErrorNote>
          )}
          <Preview preview={query.data} />
        </>
      )}
    </Asking>
  );
}

interface AskingProps {
  /** The time in the field at first. */
  keepSeconds: number;
  asked: number | null;
  onAsk: (keepDays: number) => void;
  query: Pick<UseQueryResult, "refetch" | "isFetching" | "error">;
  children: ReactNode;
}

function Asking({ keepSeconds, asked, onAsk, query, children }: AskingProps) {
  const [days, setDays] = useState(String(Math.ceil((keepSeconds / DAY_SECONDS) * 10 - 0.001) / 10));
  const keepDays = Number(days.trim().replace(",", "."));
  const isValid = Number.isFinite(keepDays) && keepDays >= 0.05;

  function ask(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    if (asked === keepDays) void query.refetch();
    else onAsk(keepDays);
  }

  return (
    <>
      <form className={css.form} onSubmit={ask}>
        <div className={css.days}>
          <TextInput
            label="Keep, days"
            inputMode="decimal"
            error={isValid ? undefined : "0.05 or more"}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        </div>
        <Button type="submit" disabled={!isValid} loading={query.isFetching}>
          Dry run
        </Button>
      </form>
      {query.error !== null && asked !== null && <ErrorNote title="The dry run gave no answer." error={query.error} />}
      {children}
    </>
  );
}

const AGES: Record<RetentionPreview["ageOf"] | InboxRetentionPreview["ageOf"], string> = {
  published: "Published before",
  created: "Created before",
  processed: "Processed before",
  received: "Received before",
};

function Preview({ preview }: { preview: RetentionPreview | InboxRetentionPreview }) {
  const { asOf, rows, bytes, oldestAt, newestAt, boundAt, ageOf, kept, statement } = preview;
  const inboxes = "inboxes" in preview ? preview.inboxes : [];
  const counted = rows.precision === "capped" ? " of those counted" : "";
  const unmarked = "onlyProcessed" in preview && !preview.onlyProcessed;
  return (
    <section aria-label="Dry run">
      <Facts
        facts={[
          ["As of", <Instant key="at" at={asOf} />],
          [
            "Would go",
            <>
              <Figure {...rows} /> {unitOf(rows, "row")}, about {formatBytes(Math.round(bytes))}
              {counted}
            </>,
          ],
          [AGES[ageOf], <Instant key="bound" at={boundAt} />],
          ...(oldestAt === null
            ? []
            : [
                [
                  "Oldest, newest",
                  <>
                    <Instant at={oldestAt} /> to <Instant at={newestAt} />
                    {counted}
                  </>,
                ] as const,
              ]),
          ...kept.map(({ reason, rows: stay }) => ["Kept, though old", `${formatCount(stay)}: ${reason}`] as const),
          ...(unmarked ? [["Mark", "no column says what was processed: the time of receipt counts"] as const] : []),
          ...inboxes.map((sentence) => ["Inbox", sentence] as const),
        ]}
      />
      <div className={css.codes}>
        <CodeBlock text={statement} label="the statement of a batch" />
      </div>
    </section>
  );
}
