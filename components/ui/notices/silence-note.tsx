"use client";

import type { ReactNode } from "react";
import { useServerNow } from "#components/live/use-now.ts";
import { formatDuration } from "#domain/format.ts";
import { Instant } from "../values/instant.tsx";
import { ErrorNote } from "./error-note.tsx";

interface SilenceNoteProps {
  /** What could not be read, as a sentence. */
  title?: string;
  error: Error | null;
  /** Instant of the figures below; undefined when there are none. */
  asOf: string | undefined;
  onRetry: () => void;
  /** What was last known, after the age of the figures. */
  children?: ReactNode;
}

/** Says that the server does not answer, and how old the figures below are, so that nobody takes them for current. */
export function SilenceNote({ title, error, asOf, onRetry, children }: SilenceNoteProps) {
  const nowMs = useServerNow();
  return (
    <ErrorNote title={title ?? (error === null ? "No answer." : undefined)} error={error} onRetry={onRetry}>
      <div className="muted">
        {asOf === undefined ? (
          "There are no earlier figures to show."
        ) : (
          <>
            The figures below are from <Instant at={asOf} /> UTC,{" "}
            {formatDuration(Math.max(0, nowMs - Date.parse(asOf)) / 1000)} ago. Changes since then are not shown.
          </>
        )}
        {children}
      </div>
    </ErrorNote>
  );
}
