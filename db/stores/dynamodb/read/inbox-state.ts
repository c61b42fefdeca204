import type { InboxMapping } from "../../port/inbox-mapping.ts";
import type { InboxState } from "../../port/inbox-reader.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import type { Condition } from "../../port/table-rules.ts";
import { failedBy, isSayingProcessed, processedBy } from "../../shared/states/inbox-conditions.ts";
import { isPlaceholder } from "../items/instant.ts";
import { isTrueOf } from "../items/is-true-of.ts";
import { type Item, textOf } from "../items/item.ts";

/** The state of an item of an inbox, at a time. */
export function inboxStateOf(mapping: InboxMapping, item: Item, now: string): InboxState {
  const { mark, untold, doubts } = mapping;
  const isTrue = (condition: Condition<MappedColumn> | null) =>
    condition !== null && isTrueOf(condition, item, Date.parse(now));
  if (untold && isTrue(untold.holds)) return "received";
  if (mark.kind === "time" && isPlaceholder(textOf(item[mark.column.name]), mark.column)) return "received";
  const isFailed = isTrue(failedBy(mapping));
  if (isTrue(processedBy(mark)) && (mark.kind === "status" || !isFailed)) return "processed";
  if (isFailed) return "failed";
  return isSayingProcessed(mark) && !(doubts && isTrue(doubts.holds)) ? "unprocessed" : "received";
}
