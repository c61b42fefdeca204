"use client";

import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { useOutbox } from "./use-outbox.ts";

/** Replaces a page about an outbox when there is none, or none could be read. */
export function NoOutbox() {
  const { list } = useOutbox();
  const read = list !== undefined && list.problems.length === 0;
  return (
    <EmptyState title={read ? "There is no outbox yet." : "The outboxes could not be read."}>
      Name one in outbox.yaml, or let the console find it in the database. Overview lists the tables it checked.
    </EmptyState>
  );
}
