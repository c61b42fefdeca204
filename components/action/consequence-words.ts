import type { BulkAction } from "#domain/message/bulk-operation.ts";
import { ACTION_WORDS } from "./action-words.ts";

/** What the action does, worded for one message or for several. */
export function consequenceWords(action: BulkAction, count: number): string {
  const words = ACTION_WORDS[action].consequence;
  return count === 1
    ? words
    : words
        .replace(/^It /, "Each ")
        .replace("Its row stays as it is", "The rows stay as they are")
        .replace("processes it again", "processes them again")
        .replaceAll("its aggregate", "their aggregates")
        .replace("publishes it", "publishes them");
}
