import type { QueryCache } from "@tanstack/react-query";
import type { LiveStore } from "./live-store.ts";

/** Feeds answers and failures of live queries into the store; other queries say nothing about freshness. */
export function watchQueries(cache: QueryCache, store: LiveStore): () => void {
  return cache.subscribe((event) => {
    if (event.type !== "updated" || event.query.meta?.live !== true) return;
    if (event.action.type === "success") store.noteSuccess(asOfOf(event.query.state.data), Date.now());
    if (event.action.type === "error") store.noteFailure(event.action.error.message);
  });
}

/** The newest instant in an answer; infinite lists keep theirs in the first page. */
function asOfOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  if ("asOf" in data) return typeof data.asOf === "string" ? data.asOf : undefined;
  return "pages" in data && Array.isArray(data.pages) ? asOfOf(data.pages[0]) : undefined;
}
