import { type QueryKey, QueryObserver, type QueryObserverOptions } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "#components/api/api-error.ts";
import { createQueryClient } from "#components/api/query-client.ts";
import { LiveStore } from "./live-store.ts";
import { refreshLive, watchQueries } from "./watch-queries.ts";

const ANSWER = { asOf: "2026-11-30T15:00:00Z" };
const QUERY: QueryKey = ["message", "orders", "1"];
const PAGE = { queryKey: QUERY, retry: false, meta: { live: true, freshness: true } };
const DIALOG = { queryKey: QUERY, retry: false };

let client: ReturnType<typeof createQueryClient>;
let store: LiveStore;
let stop: () => void;
/** What the server answers the next request, once it does. */
let answer: PromiseWithResolvers<typeof ANSWER>;
const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(ANSWER.asOf) });
  client = createQueryClient();
  store = new LiveStore();
  stop = watchQueries(client.getQueryCache(), store);
  answer = Promise.withResolvers();
});

afterEach(() => {
  for (const end of ends.splice(0)) end();
  stop();
  client.clear();
  vi.useRealTimers();
});

type Options = Omit<QueryObserverOptions<typeof ANSWER>, "queryFn">;

/** Shows a query as a part of a page does; returns what changes its options, and what takes it off the page. */
function show(options: Options) {
  const whole = (some: Options) => ({ ...some, queryFn: () => answer.promise });
  const observer = new QueryObserver(client, whole(options));
  const end = observer.subscribe(() => undefined);
  ends.push(end);
  return { change: (next: Options) => observer.setOptions(whole(next)), end };
}

test("an answer counts where a dialog has asked for the same meanwhile", async () => {
  show(PAGE);
  show(DIALOG);
  answer.resolve(ANSWER);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.read()).toMatchObject({ asOf: ANSWER.asOf, failure: undefined, silent: false });
});

test("silence is noticed where a dialog asked first", async () => {
  show(DIALOG);
  show(PAGE);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(store.read()).toMatchObject({ silent: true });
  answer.resolve(ANSWER);
  await vi.advanceTimersByTimeAsync(0);
  expect(store.read()).toMatchObject({ asOf: ANSWER.asOf, failure: undefined, silent: false });
});

test("what a dialog alone asks for does not make the page old", async () => {
  const { end } = show(PAGE);
  show(DIALOG);
  end();
  answer.reject(new ApiError({ status: 503, code: "unavailable", message: "" }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.read()).toMatchObject({ failure: undefined, silent: false });
});

test("what the page no longer asks for does not keep it silent", async () => {
  const { change } = show(PAGE);
  answer.reject(new ApiError({ status: 503, code: "unavailable", message: "" }));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.read()).toMatchObject({ silent: true });
  change({ ...PAGE, enabled: false });
  expect(store.read()).toMatchObject({ failure: undefined, silent: false });
});

test("what fails beside the page's figures is said until it is answered, and makes nothing old", async () => {
  const unavailable = new ApiError({ status: 503, code: "unavailable", message: "" });
  show(DIALOG);
  const { queryHash } = client.getQueryCache().findAll({ queryKey: QUERY })[0] ?? {};
  answer.reject(unavailable);
  await vi.advanceTimersByTimeAsync(0);
  expect(store.failureOf(queryHash ?? "")).toBe(unavailable);
  answer = Promise.withResolvers();
  void client.refetchQueries({ queryKey: QUERY });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(store.failureOf(queryHash ?? ""), "while it is asked for again").toBe(unavailable);
  expect(store.read()).toMatchObject({ failure: undefined, silent: false });
  answer.resolve(ANSWER);
  await vi.advanceTimersByTimeAsync(0);
  expect(store.failureOf(queryHash ?? "")).toBeUndefined();
});

test("what a page no longer takes for its figures is no outage any more", async () => {
  const unavailable = new ApiError({ status: 503, code: "unavailable", message: "" });
  const { end } = show(PAGE);
  answer.reject(unavailable);
  await vi.advanceTimersByTimeAsync(0);
  show(DIALOG);
  end();
  expect(store.read()).toMatchObject({ failure: undefined, silent: false });
});

test("a request that was called off is not waited for", async () => {
  show(PAGE);
  await client.cancelQueries({ queryKey: QUERY });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.read()).toMatchObject({ failure: undefined, silent: false });
});

test("a refresh of the page reaches what a dialog shows as well, and nothing that only the dialog shows", async () => {
  answer.resolve(ANSWER);
  show(PAGE);
  show(DIALOG);
  show({ queryKey: ["only the dialog"] });
  await vi.advanceTimersByTimeAsync(0);
  refreshLive(client);
  const fetching = client.getQueryCache().findAll({ fetchStatus: "fetching" });
  expect(fetching.map((query) => query.queryKey)).toEqual([QUERY]);
});
