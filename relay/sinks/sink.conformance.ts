import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../testing/make-message.fixture.ts";
import type { Sink } from "./sink.ts";

export interface Arrived {
  id: string | undefined;
  body: string;
}

export interface SinkUnderTest {
  sink: Sink;
  /** What arrived and was confirmed or not, in the order of its arrival. A broker may have to be asked. */
  received(): Arrived[] | Promise<Arrived[]>;
  close(): Promise<void>;
}

/** A sink with another side that can fail. */
export interface RemoteSinkUnderTest extends SinkUnderTest {
  /** From now on the other side takes messages and never confirms them. */
  stopConfirming(): void;
  /** From now on nobody is there. */
  takeDown(): Promise<void>;
}

const PAYLOADS: Record<string, string> = {
  "a number that JavaScript cannot hold": '{"id":9007199254740993}',
  "a number with a zero at its end": '{"price": 1.10}',
  "letters of all kinds": '{"name":"Zoë 漢字 😀 \\u00e9"}',
  "spaces and order of keys": '{ "b" : 1,\n  "a":2 }',
  "text that is no JSON": "plain, with a ' and a \" and a %",
  "five megabytes": JSON.stringify({ blob: "x".repeat(5 * 1024 * 1024) }),
};

/** What every sink owes the relay. Each implementation runs it against the real other side. */
export function describeSinkConformance(name: string, open: () => Promise<SinkUnderTest>): void {
  describe(`${name} as a sink`, () => {
    let target: SinkUnderTest;
    const never = new AbortController().signal;
    beforeEach(async () => {
      target = await open();
      await target.sink.connect();
    });
    afterEach(async () => {
      await target.sink.close();
      await target.close();
    });

    test.each(Object.entries(PAYLOADS))("carries %s unchanged, with the message's id", async (_, payload) => {
      const message = makeMessage(1, { payload, payloadKind: "text" });
      expect(await target.sink.publish([message], never)).toEqual([{ kind: "published" }]);
      expect(await target.received()).toEqual([{ id: message.eventId, body: payload }]);
    });

    test("takes many calls at once, and tells each its own outcome", async () => {
      const messages = Array.from({ length: 100 }, (_, n) => makeMessage(n, { aggregateId: `a${n}` }));
      const outcomes = await Promise.all(messages.map((message) => target.sink.publish([message], never)));
      expect(outcomes.flat()).toEqual(messages.map(() => ({ kind: "published" })));
      expect(new Set((await target.received()).map(({ id }) => id)).size).toBe(100);
    });

    test("a call that is aborted before it begins is told so, and nothing arrives", async () => {
      const outcomes = await target.sink.publish([makeMessage(1)], AbortSignal.abort());
      expect(outcomes).toEqual([{ kind: "aborted" }]);
      expect(await target.received()).toEqual([]);
    });

    test("describes itself without secrets", () => {
      expect(JSON.stringify(target.sink.describe())).not.toMatch(/secret|password|token/i);
    });
  });
}

/** What a sink with another side owes besides. */
export function describeRemoteSinkConformance(name: string, open: () => Promise<RemoteSinkUnderTest>): void {
  describeSinkConformance(name, open);

  describe(`${name} as a sink whose other side fails`, () => {
    let target: RemoteSinkUnderTest;
    const never = new AbortController().signal;
    beforeEach(async () => {
      target = await open();
      await target.sink.connect();
    });
    afterEach(async () => {
      await target.sink.close();
      await target.close();
    });

    test("what is not confirmed is not published: aborted", async () => {
      target.stopConfirming();
      const abort = new AbortController();
      const publishing = target.sink.publish([makeMessage(1)], abort.signal);
      await waitFor(async () => (await target.received()).length === 1, { message: "it arrived" });
      abort.abort();
      expect(await publishing).toEqual([{ kind: "aborted" }]);
    });

    test("closing ends calls that still run, as aborted", async () => {
      target.stopConfirming();
      const publishing = target.sink.publish([makeMessage(1)], never);
      await waitFor(async () => (await target.received()).length === 1, { message: "it arrived" });
      await target.sink.close();
      expect(await publishing).toEqual([{ kind: "aborted" }]);
    });

    test("nobody there is a fault of the environment", async () => {
      await target.takeDown();
      const [outcome] = await target.sink.publish([makeMessage(1)], never);
      expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "environment", code: "unreachable" } });
    });
  });
}
