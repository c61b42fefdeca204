import type { Query, QueryCache, QueryCacheNotifyEvent, QueryClient } from "@tanstack/react-query";
import { isBlind, isOutage, isReadInPart } from "#components/api/outage.ts";
import { AnswerClock } from "./answer-clock.ts";
import type { LiveStore } from "./live-store.ts";

/**
 * Feeds answers, failures and silence of live queries into the store; of other queries, which affect no freshness,
 * failures.
 */
export function watchQueries(cache: QueryCache, store: LiveStore): () => void {
  const clock = new AnswerClock((query, error) => {
    // A reason from the server is more informative than its silence.
    if (store.failureOf(query) === undefined) store.noteFailure(query, error, true);
  });
  for (const query of cache.getAll()) {
    // Data rendered with the page also counts as an answer.
    if (!isAskedWith("freshness", query)) continue;
    if (query.state.status === "success") noteList(query.state.data, store);
    if (query.state.status === "success" && !isBlind(query.state.data)) {
      store.noteSuccess(query.queryHash, asOfOf(query.state.data), Date.now());
    }
    if (query.state.fetchStatus === "fetching") clock.start(query.queryHash, 0);
  }
  const unsubscribe = cache.subscribe((event) => {
    const { query } = event;
    if (!isAskedWith("freshness", query)) {
      clock.forget(query.queryHash);
      noteBeside(event, store);
    } else if (event.type === "observerAdded" || event.type === "observerOptionsUpdated") {
      // A part of the page that joins a request of others waits for the same answer.
      if (query.state.fetchStatus === "fetching") clock.join(query.queryHash, query.state.dataUpdatedAt);
    } else if (event.type === "updated") {
      noteUpdate(event, { cache, store, clock });
    }
  });
  return () => {
    unsubscribe();
    clock.stopAll();
  };
}

/** Reads again what the page shows as live. */
export function refreshLive(client: QueryClient): void {
  void client.invalidateQueries({ predicate: (query) => isAskedWith("live", query) });
}

/**
 * Whether a part of the page asks for this query in this way. The query's own `meta` is that of whoever asked last,
 * such as a dialog that shows the same message.
 */
function isAskedWith(way: "live" | "freshness", query: Query): boolean {
  return query.observers.some(({ options }) => options.enabled !== false && options.meta?.[way] === true);
}

interface Watch {
  cache: QueryCache;
  store: LiveStore;
  clock: AnswerClock;
}

function noteUpdate({ query, action }: QueryCacheNotifyEvent & { type: "updated" }, { cache, store, clock }: Watch) {
  if (action.type === "fetch") clock.start(query.queryHash, query.state.dataUpdatedAt);
  else if (query.state.fetchStatus === "idle") clock.stop(query.queryHash, action.type === "success");
  if (action.type === "success") {
    noteList(query.state.data, store);
    if (!isBlind(query.state.data)) noteAnswer(query, cache, store);
  }
  if (action.type === "error") store.noteFailure(query.queryHash, action.error, isOutage(action.error));
}

/** A query beside the page's figures: its failure is known to `useFailure`, and makes nothing old. */
function noteBeside(event: QueryCacheNotifyEvent, store: LiveStore): void {
  const { queryHash, state } = event.query;
  const isAnswered = event.type === "updated" && event.action.type === "success";
  const failure = state.error ?? store.failureOf(queryHash);
  if (isAnswered || failure === undefined || !event.query.isActive()) store.forget(queryHash);
  else if (failure !== store.failureOf(queryHash) || store.isOutage(queryHash))
    store.noteFailure(queryHash, failure, false);
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
    if (query.state.status === "error" && isAskedWith("live", query)) void query.fetch().catch(ignore);
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
