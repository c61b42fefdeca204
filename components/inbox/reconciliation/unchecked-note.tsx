import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Reconciliation } from "#contracts/outbox/reconciliation.ts";

type Unchecked = NonNullable<Reconciliation["rows"]["unchecked"]>;

/** Why something is not known, since when, and whether older figures are shown below. */
export function UncheckedNote({ unchecked, hasOlder }: { unchecked: Unchecked; hasOlder: boolean }) {
  const { reason, since, index } = unchecked;
  return (
    <ErrorNote tone="warn">
      {since === null ? (
        "Not known. "
      ) : (
        <>
          Not known since <Instant at={since} /> UTC.{" "}
        </>
      )}
      {reason}
      {hasOlder && " The figures below are from the last check."}
      {index !== null && <CodeBlock text={index} label="the index" />}
    </ErrorNote>
  );
}
