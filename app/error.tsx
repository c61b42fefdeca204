"use client";

import { ErrorNote } from "#components/ui/notices/error-note.tsx";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Says that only the page failed, not the outbox, and offers to render it again. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main style={{ maxWidth: "45rem", margin: "14vh auto", padding: "0 1.25rem" }}>
      <ErrorNote title="This page failed to load." onRetry={reset}>
        Outboxes and relays are not affected.
        {error.digest !== undefined && (
          <div className="muted">The server's log has the details under {error.digest}.</div>
        )}
      </ErrorNote>
    </main>
  );
}
