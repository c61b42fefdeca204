import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Notice, RelayStream, StreamEvents } from "#db/stores/port/relay/relay-stream.ts";
import { waitFor } from "#tests/wait-for.ts";
import { StreamSource } from "./stream-source.ts";

let source: StreamSource;
let events: StreamEvents;
let woken: number;

/** A log whose content the test decides. */
beforeEach(async () => {
  woken = 0;
  const { promise: ended, resolve } = Promise.withResolvers<null>();
  const stream: Pick<RelayStream, "name" | "mark" | "check" | "open"> = {
    name: "log",
    mark: "none",
    check: async () => null,
    open: async (ofRelay) => {
      events = ofRelay;
      const close = async () => resolve(null);
      return { confirm: () => undefined, pause: () => undefined, resume: () => undefined, ended, close };
    },
  };
  source = new StreamSource({
    stream: stream as RelayStream,
    log: pino({ level: "silent" }),
    events: {
      notices: () => {
        woken += 1;
      },
      connected: () => undefined,
    },
  });
  source.start();
  await waitFor(() => source.connected, { message: "the log is read" });
});
afterEach(() => source.stop());

const notice = (id: string): Notice => ({
  id,
  aggregateKey: null,
  order: [id, "1"],
  transaction: { committedAtMs: 0, position: id },
  message: null,
  bytes: 1,
});

function hear(...ids: string[]): void {
  for (const id of ids) {
    events.notice(notice(id));
    events.commit(`${id}-end`);
  }
  events.flushed();
}

test("wakes its caller once for a message, not again when nothing of a claim goes back", () => {
  hear("1");
  expect(source.take(() => "take")).toHaveLength(1);
  source.putBack([]);
  source.done([{ id: "1" }]);
  source.putBack([]);
  expect(woken).toBe(1);
});

test("wakes its caller after a settle while a message waits, which may have waited for those settled", () => {
  hear("1", "2");
  expect(source.take(({ notice: { id } }) => (id === "1" ? "take" : "leave"))).toHaveLength(1);
  source.done([{ id: "1" }]);
  source.putBack([]);
  expect(woken).toBe(2);
});

test("wakes its caller for what goes back, and keeps it in its place", () => {
  hear("1", "2");
  expect(source.take(({ notice: { id } }) => (id === "1" ? "take" : "leave"))).toHaveLength(1);
  source.putBack(["1"]);
  expect(woken).toBe(2);
  expect(source.take(() => "take").map(({ id }) => id)).toEqual(["1", "2"]);
});

test("a reason for which each new connection ends holds on, with its start, until one of them stays open", async () => {
  const lost = { code: "log_lost", passes: false, message: "The log was reset.", sql: null };
  const seen: unknown[] = [];
  let opened = 0;
  let repaired = false;
  const again = new StreamSource({
    stream: {
      name: "log",
      mark: "none",
      check: async () => null,
      open: async () => {
        opened += 1;
        const { promise: ended, resolve } = Promise.withResolvers<typeof lost | null>();
        if (!repaired) setImmediate(() => resolve(lost));
        const close = async () => resolve(null);
        return { confirm: () => undefined, pause: () => undefined, resume: () => undefined, ended, close };
      },
    } as unknown as RelayStream,
    log: pino({ level: "silent" }),
    events: {
      notices: () => undefined,
      connected: () => seen.push([again.connected, again.problem?.message, again.since.monoMs]),
    },
  });
  again.start();
  try {
    await waitFor(() => opened >= 3, { message: "the log is opened again and again" });
    const [, first, ...others] = seen;
    expect(first).toEqual([false, lost.message, expect.any(Number)]);
    expect(others).toEqual(others.map(() => first));
    repaired = true;
    await waitFor(() => again.connected, { message: "the log is read" });
    expect(again.problem).toBeNull();
  } finally {
    await again.stop();
  }
});
