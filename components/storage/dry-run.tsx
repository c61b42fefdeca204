"use client";

import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { retentionPreviewQuery } from "#components/api/queries.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { ErrorNote } from "#components/ui/error-note.tsx";
import { Facts } from "#components/ui/facts.tsx";
import { Figure } from "#components/ui/figure.tsx";
import { Instant } from "#components/ui/instant.tsx";
import type { RetentionPreview, Storage } from "#contracts/storage.ts";
import { formatBytes, formatCount } from "#domain/format.ts";
import css from "./storage.module.css";

const DAY_SECONDS = 86_400;

/** Asks what would go now, for a time that is set or one to try. */
export function DryRun({ outbox, retention }: { outbox: string; retention: Storage["retention"] }) {
  const [days, setDays] = useState(String(Math.round(((retention.keepSeconds ?? 0) / DAY_SECONDS) * 10) / 10));
  const [asked, setAsked] = useState<number | null>(null);
  const query = useQuery({
    ...retentionPreviewQuery(outbox, { keepDays: asked ?? 0, how: retention.how }),
    enabled: asked !== null,
  });
  const keepDays = Number(days);
  const isValid = Number.isFinite(keepDays) && keepDays >= 0.05;

  function ask(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    if (asked === keepDays) void query.refetch();
    else setAsked(keepDays);
  }

  return (
    <>
      <form className={css.form} onSubmit={ask}>
        <div className={css.days}>
          <TextInput
            label="Keep, days"
            inputMode="decimal"
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        </div>
        <Button type="submit" disabled={!isValid} loading={query.isFetching}>
          Dry run
        </Button>
      </form>
      {query.error !== null && asked !== null && <ErrorNote title="The dry run gave no answer." error={query.error} />}
      {query.data !== undefined && <Preview preview={query.data} at={new Date(query.dataUpdatedAt).toISOString()} />}
    </>
  );
}

function Preview({ preview, at }: { preview: RetentionPreview; at: string }) {
  const { rows, bytes, oldestAt, newestAt, boundAt, ageOf, kept, inboxes, statement } = preview;
  return (
    <section aria-label="Dry run">
      <Facts
        facts={[
          ["As of", <Instant key="at" at={at} />],
          [
            "Would go",
            <>
              <Figure {...rows} /> rows, about {formatBytes(Math.round(bytes))}
              {rows.precision === "capped" ? " of those counted" : ""}
            </>,
          ],
          [`${ageOf === "published" ? "Published" : "Created"} before`, <Instant key="bound" at={boundAt} />],
          [
            "Oldest, newest",
            <>
              <Instant at={oldestAt} /> to <Instant at={newestAt} />
            </>,
          ],
          ...kept.map(({ reason, rows: stay }) => ["Kept, though old", `${formatCount(stay)}: ${reason}`] as const),
          ...inboxes.map((sentence) => ["Inbox", sentence] as const),
        ]}
      />
      <div className={css.codes}>
        <CodeBlock text={statement} label="the statement of a batch" />
      </div>
    </section>
  );
}
