import type { Query, QueryCache } from "@tanstack/react-query";
import { AnswerClock } from "./answer-clock.ts";
import type { LiveStore } from "./live-store.ts";
import { isBlind, isOutage, isReadInPart } from "./outage.ts";

/** Feeds answers, failures and silence of live queries into the store; other queries do not affect freshness. */
export function watchQueries(cache: QueryCache, store: LiveStore): () => void {
  const clock = new AnswerClock((query, error) => {
    // A reason from the server is more informative than its silence.
    if (store.failureOf(query) === undefined) store.noteFailure(query, error, true);
  });
  for (const query of cache.getAll()) {
    // Data rendered with the page also counts as an answer.
    if (query.meta?.freshness !== true) continue;
    if (query.state.status === "success") noteList(query.state.data, store);
    if (query.state.status === "success" && !isBlind(query.state.data)) {
      store.noteSuccess(query.queryHash, asOfOf(query.state.data), Date.now());
    }
    if (query.state.fetchStatus === "fetching") clock.start(query.queryHash, 0);
  }
  const unsubscribe = cache.subscribe((event) => {
    const { query } = event;
    if (event.type === "removed" || (event.type === "observerRemoved" && query.getObserversCount() === 0)) {
      clock.forget(query.queryHash);
      store.forget(query.queryHash);
    }
    if (event.type !== "updated" || query.meta?.freshness !== true) return;
    const { action } = event;
    if (action.type === "fetch") clock.start(query.queryHash, query.state.dataUpdatedAt);
    if (action.type === "success" || action.type === "error") clock.stop(query.queryHash, action.type === "success");
    if (action.type === "success") noteList(query.state.data, store);
    if (action.type === "success" && !isBlind(query.state.data)) noteAnswer(query, cache, store);
    if (action.type === "error") store.noteFailure(query.queryHash, action.error, isOutage(action.error));
  });
  return () => {
    unsubscribe();
    clock.stopAll();
  };
}

function noteAnswer(query: Query<unknown, Error>, cache: QueryCache, store: LiveStore): void {
  if (store.noteSuccess(query.queryHash, asOfOf(query.state.data), Date.now())) askAgain(cache);
}

function noteList(data: unknown, store: LiveStore): void {
  const inPart = isReadInPart(data);
  if (inPart !== null) store.noteReadInPart(inPart);
}

/** The first answer after an outage triggers a refetch of everything else that failed. */
function askAgain(cache: QueryCache): void {
  for (const query of cache.getAll()) {
    if (query.meta?.live === true && query.state.status === "error" && query.isActive())
      void query.fetch().catch(ignore);
  }
}

/** The failure is in the query's state, from which the page and the store read it. */
function ignore(): undefined {
  return undefined;
}

/** The newest instant in an answer; infinite lists have theirs in the first page. */
function asOfOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  if ("asOf" in data) return typeof data.asOf === "string" ? data.asOf : undefined;
  return "pages" in data && Array.isArray(data.pages) ? asOfOf(data.pages[0]) : undefined;
}
