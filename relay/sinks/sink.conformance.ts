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
  /** Messages in the order of their arrival, confirmed or not. A broker may have to be queried. */
  received(): Arrived[] | Promise<Arrived[]>;
  close(): Promise<void>;
}

/** A sink whose receiver can be made to fail. */
export interface RemoteSinkUnderTest extends SinkUnderTest {
  /** From now on the receiver accepts messages and never confirms them. */
  stopConfirming(): void;
  /** From now on the receiver is unreachable. */
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

/** Requirements of every sink. Each implementation runs this suite against its real broker or endpoint. */
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

    test("accepts concurrent calls and returns each its own outcome", async () => {
      const messages = Array.from({ length: 100 }, (_, n) => makeMessage(n, { aggregateId: `a${n}` }));
      const outcomes = await Promise.all(messages.map((message) => target.sink.publish([message], never)));
      expect(outcomes.flat()).toEqual(messages.map(() => ({ kind: "published" })));
      expect(new Set((await target.received()).map(({ id }) => id)).size).toBe(100);
    });

    test("a call aborted before it begins returns aborted, and nothing arrives", async () => {
      const outcomes = await target.sink.publish([makeMessage(1)], AbortSignal.abort());
      expect(outcomes).toEqual([{ kind: "aborted" }]);
      expect(await target.received()).toEqual([]);
    });

    test("describes itself without secrets", () => {
      expect(JSON.stringify(target.sink.describe())).not.toMatch(/secret|password|token/i);
    });
  });
}

/** Further requirements of a sink with a remote receiver. */
export function describeRemoteSinkConformance(name: string, open: () => Promise<RemoteSinkUnderTest>): void {
  describeSinkConformance(name, open);

  describe(`${name} as a sink whose receiver fails`, () => {
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

    test("an unconfirmed message ends as aborted, not as published", async () => {
      target.stopConfirming();
      const abort = new AbortController();
      const publishing = target.sink.publish([makeMessage(1)], abort.signal);
      await waitFor(async () => (await target.received()).length === 1, { message: "it arrived" });
      abort.abort();
      expect(await publishing).toEqual([{ kind: "aborted" }]);
    });

    test("closing ends running calls as aborted", async () => {
      target.stopConfirming();
      const publishing = target.sink.publish([makeMessage(1)], never);
      await waitFor(async () => (await target.received()).length === 1, { message: "it arrived" });
      await target.sink.close();
      expect(await publishing).toEqual([{ kind: "aborted" }]);
    });

    test("an unreachable receiver is an environment failure", async () => {
      await target.takeDown();
      const [outcome] = await target.sink.publish([makeMessage(1)], never);
      expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "environment", code: "unreachable" } });
    });
  });
}
