import type { InboxMapping, InboxMark } from "../../port/inbox-mapping.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import type { Condition } from "../../port/table-rules.ts";

/** Null if the table does not say it. */
export function processedBy(mark: InboxMark): Condition<MappedColumn> | null {
  switch (mark.kind) {
    case "time":
      return mark.always ? { always: true } : { column: mark.column, is: "set" };
    case "flag":
      return { column: mark.column, is: "true" };
    case "status":
      return { column: mark.column, in: mark.processed };
    case "rules":
      return mark.processed;
    case "none":
      return null;
  }
}

/** A row that does not say that it was processed, waits. */
export const isSayingProcessed = (mark: InboxMark): boolean =>
  mark.kind !== "none" && !(mark.kind === "time" && mark.always);

/** By its word or its library's rule; of any other table, also by an error. */
export function failedBy({
  mark,
  error,
  errorStays,
}: Pick<InboxMapping, "mark" | "error" | "errorStays">): Condition<MappedColumn> | null {
  if (mark.kind === "status") return { column: mark.column, in: mark.failed };
  if (mark.kind === "rules") return mark.failed;
  const { failed, ends } = mark.kind === "none" ? {} : mark;
  const words = failed ? [{ column: failed.column, in: failed.words }] : [];
  const signs = [...words, ...(ends ? [ends.holds] : []), ...(error ? [errorOf(mark, error, errorStays)] : [])];
  return signs.length > 0 ? { any: signs } : null;
}

function errorOf(mark: InboxMark, error: MappedColumn, stays: true | undefined): Condition<MappedColumn> {
  const filled = { column: error, is: "filled" as const };
  const processed = stays && isSayingProcessed(mark) ? processedBy(mark) : null;
  return processed ? { all: [filled, { not: processed }] } : filled;
}
