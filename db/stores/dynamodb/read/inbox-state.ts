import type { InboxMapping } from "../../port/inbox-mapping.ts";
import type { InboxState } from "../../port/inbox-reader.ts";
import { type Item, textOf } from "../items/item.ts";

/** The state of an item of an inbox. */
export function inboxStateOf(mapping: InboxMapping, item: Item): InboxState {
  const { error, untold } = mapping;
  const hasError = error !== null && (textOf(item[error.name]) ?? "") !== "";
  if (untold) return hasError ? "failed" : "received";
  return markedState(mapping, item, hasError);
}

function markedState({ mark }: InboxMapping, item: Item, hasError: boolean): InboxState {
  const text = (name: string) => textOf(item[name]);
  switch (mark.kind) {
    case "time":
      if (hasError) return "failed";
      return mark.always || text(mark.column.name) !== null ? "processed" : "unprocessed";
    case "flag":
      if (hasError) return "failed";
      return text(mark.column.name) === "true" ? "processed" : "unprocessed";
    case "status": {
      const word = text(mark.column.name) ?? "";
      if (mark.processed.includes(word)) return "processed";
      return mark.failed.includes(word) ? "failed" : "unprocessed";
    }
    // No library has a DynamoDB table whose rules are known.
    case "rules":
    case "none":
      return hasError ? "failed" : "received";
  }
}
