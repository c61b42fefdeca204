import type { MessageAction } from "#domain/message-state.ts";
import { ACTION_WORDS } from "./action-words.ts";

/** What the action does, worded for one message or for several. */
export function consequenceWords(action: MessageAction, count: number): string {
  const words = ACTION_WORDS[action].consequence;
  return count === 1
    ? words
    : words
        .replace(/^It /, "Each ")
        .replaceAll("its aggregate", "their aggregates")
        .replace("publishes it", "publishes them");
}
