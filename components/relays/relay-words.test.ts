import { expect, test } from "vitest";
import type { RelayInstance } from "#contracts/outbox/relays.ts";
import { lastErrorText, shownState, stateMeaning, whyNoRelay } from "./relay-words.ts";

const ORDERS = { name: "orders", mode: "relay", connector: null } as const;
const relay = (outbox: string, state: RelayInstance["state"]) => ({ outbox, state }) as RelayInstance;
type Told = Partial<Record<"problems" | "undecided", { outbox: string; message: string }[]>>;
const why = (outbox: Partial<Parameters<typeof whyNoRelay>[0]>, relays: RelayInstance[] = [], told: Told = {}) =>
  whyNoRelay({ ...ORDERS, ...outbox }, { relays, problems: [], undecided: [], ...told });

test("nothing is said while a relay of the outbox reports, whatever its state", () => {
  for (const state of ["owner", "standby", "paused", "holding", "stopping"] as const)
    expect(why({}, [relay("orders", state)])).toBeNull();
});

test("a relay of another outbox, a stopped one and a lost one publish nothing of this one", () => {
  expect(why({}, [relay("bills", "owner")])?.title).toBe("No relay of orders has ever reported.");
  for (const state of ["stopped", "lost"] as const)
    expect(why({}, [relay("orders", state)])).toMatchObject({
      title: "No relay of orders reports.",
      text: expect.stringMatching(/^The last one is listed below\. Start a worker/),
    });
});

test("an outbox that waits for an answer says so, and no worker is asked for", () => {
  const message = "The mapping of outbox orders is only likely: which column is the payload? Answer it under Settings.";
  expect(why({}, [relay("orders", "lost")], { undecided: [{ outbox: "orders", message }] })).toEqual({
    title: "No relay publishes orders until a person decides.",
    text: message,
  });
  expect(why({}, [], { undecided: [{ outbox: "bills", message }] })?.title).toMatch(/has ever reported/);
});

test("an outbox that is not relayed here, and one whose relays could not be read", () => {
  expect(why({ mode: "observe" })?.text).toMatch(/^It is observed only\. /);
  expect(why({ mode: "operate" })?.title).toBe("This console does not relay orders.");
  expect(why({ connector: "orders-connector" })).toBeNull();
  expect(why({}, [], { problems: [{ outbox: "orders", message: "silent" }] })).toBeNull();
});

test("a holding relay blames the sink only if the sink's breaker is open", () => {
  const breaker = { code: "unreachable", message: "refused", since: "2026-03-01T10:00:00Z", nextProbeAt: null };
  const holding = { state: "holding", heartbeatAgeSeconds: 0.4 } as const;
  expect(stateMeaning({ ...holding, breaker })).toMatch(/^The sink cannot be used/);
  expect(stateMeaning({ ...holding, breaker: null })).not.toMatch(/sink/);
});

test("a relay whose heartbeats are missing is not said to publish; a stopped one has none", () => {
  expect(shownState({ state: "owner", heartbeatAgeSeconds: 1.2 })).toBe("owner");
  expect(shownState({ state: "owner", heartbeatAgeSeconds: 6.8 })).toBe("silent");
  expect(shownState({ state: "stopped", heartbeatAgeSeconds: 60 })).toBe("stopped");
  expect(shownState({ state: "lost", heartbeatAgeSeconds: 60 })).toBe("lost");
  expect(stateMeaning({ state: "owner", heartbeatAgeSeconds: 6.8, breaker: null })).toMatch(/not known\.$/);
});

test("a relay's last error that its breaker shows is not said twice", () => {
  const since = "2026-03-01T10:00:00Z";
  const breaker = { code: "unreachable", message: "connect ECONNREFUSED 10.0.0.9:9092", since, nextProbeAt: null };
  const route = { ...breaker, kind: "topic" as const, name: "orders", message: "not allowed", aggregates: 1 };
  const lastError = breaker.message;
  expect(lastErrorText({ lastError, breaker, routes: [] })).toBe("The same.");
  expect(lastErrorText({ lastError: "not allowed.", breaker, routes: [route] })).toBe("The same.");
  expect(lastErrorText({ lastError, breaker: null, routes: [route] })).toBe(lastError);
  const longer = `${lastError}\nat the broker`;
  expect(lastErrorText({ lastError: longer, breaker, routes: [] })).toBe(longer);
  expect(lastErrorText({ lastError: null, breaker, routes: [] })).toBeNull();
});
