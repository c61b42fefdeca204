"use client";

import { ErrorNote } from "#components/ui/error-note.tsx";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** The page broke, the outbox did not: says so and offers to draw it again. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main style={{ maxWidth: 720, margin: "14vh auto", padding: "0 20px" }}>
      <ErrorNote title="This page could not be drawn." onRetry={reset}>
        The outboxes and relays go on without it.
        {error.digest !== undefined && <div className="muted">Note {error.digest} stands in the server's log.</div>}
      </ErrorNote>
    </main>
  );
}
