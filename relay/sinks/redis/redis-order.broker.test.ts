import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { kinds, never, openRedisTarget, run } from "./redis-target.fixture.ts";

describe("the shared Redis", () => {
  const broker = testBroker("redis");

  test("a run of one aggregate arrives in order, even when split over several commands", async () => {
    const stream = uniqueName();
    const { sink, texts } = await openRedisTarget(broker(), stream);
    const padding = "x".repeat(300_000);
    const messages = run(20).map((message, n) => ({ ...message, payload: `{"n":${n},"p":"${padding}"}` }));
    expect(new Set(kinds(await sink.publish(messages, never)))).toEqual(new Set(["published"]));
    expect((await texts(stream)).map((text) => JSON.parse(text ?? "").n)).toEqual(messages.map((_, n) => n));
  });

  test("a run longer than one command stops at its first refused message, wherever it is", async () => {
    const stream = uniqueName();
    const { sink, client, entries } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    for (const refused of [0, 499, 500, 700]) {
      await client.del(stream);
      const messages = run(1000).map((message, n) =>
        n === refused ? { ...message, eventType: `${stream}_wrong` } : { ...message, eventType: stream },
      );
      const seen = kinds(await sink.publish(messages, never));
      expect(seen).toEqual(
        messages.map((_, n) => (n < refused ? "published" : n === refused ? "unavailable" : "aborted")),
      );
      expect((await entries(stream)).length).toBe(refused);
    }
    await client.del(`${stream}_wrong`);
  });

  test("after a refused message nothing later of its aggregate arrives, and the others do", async () => {
    const stream = uniqueName();
    const { sink, client, texts } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    const at = (n: number, aggregateId: string | null, topic: string) =>
      makeMessage(n, { aggregateId, eventType: topic, payload: `${n}`, payloadKind: "text" });
    const outcomes = await sink.publish(
      [
        at(1, "a", stream),
        at(2, "a", `${stream}_wrong`),
        at(3, "a", stream),
        at(4, "b", stream),
        at(5, null, `${stream}_wrong`),
        at(6, null, stream),
        at(7, "c", ""),
        at(8, "c", stream),
      ],
      never,
    );
    expect(kinds(outcomes)).toEqual([
      "published",
      "unavailable",
      "aborted",
      "published",
      "unavailable",
      "published",
      "unroutable",
      "aborted",
    ]);
    expect(outcomes[1]).toMatchObject({ failure: { kind: "route", message: expect.stringContaining("WRONGTYPE") } });
    expect(await texts(stream)).toEqual(["1", "4", "6"]);
    await client.del(`${stream}_wrong`);
  });

  test("each of many aggregates gets its own outcome, and refused ones block no other", async () => {
    const stream = uniqueName();
    const { sink, client, texts } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    const wrong = (n: number) => n % 7 === 3;
    const messages = Array.from({ length: 500 }, (_, n) =>
      makeMessage(n, { aggregateId: `a${n}`, eventType: wrong(n) ? `${stream}_wrong` : stream }),
    );
    const outcomes = await sink.publish(messages, never);
    expect(kinds(outcomes)).toEqual(messages.map((_, n) => (wrong(n) ? "unavailable" : "published")));
    const sent = messages.filter((_, n) => !wrong(n)).map(({ payload }) => payload);
    expect(await texts(stream)).toEqual(sent);
    await client.del(`${stream}_wrong`);
  });

  test("in any mix of aggregates, each delivers exactly what precedes its first refused message", async () => {
    const stream = uniqueName();
    const { sink, client, entries } = await openRedisTarget(broker(), "{eventType}");
    await client.set(`${stream}_wrong`, "a text");
    const shape = fc.record({ aggregate: fc.nat(12), wrong: fc.integer({ min: 0, max: 5 }).map((n) => n === 0) });
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 40 }), async (shapes) => {
        await client.del(stream);
        const messages = shapes.map(({ aggregate, wrong }, n) =>
          makeMessage(n, {
            aggregateId: aggregate === 0 ? null : `a${aggregate}`,
            eventType: wrong ? `${stream}_wrong` : stream,
          }),
        );
        const stopped = new Set<string>();
        const expected = messages.map(({ aggregateKey, eventType }) => {
          if (aggregateKey !== null && stopped.has(aggregateKey)) return "aborted";
          if (eventType === stream) return "published";
          if (aggregateKey !== null) stopped.add(aggregateKey);
          return "unavailable";
        });
        expect(kinds(await sink.publish(messages, never))).toEqual(expected);
        const arrived = (await entries(stream)).map((entry) => String(entry.get("event_id")));
        expect(arrived).toEqual(messages.filter((_, n) => expected[n] === "published").map(({ eventId }) => eventId));
      }),
      { numRuns: 60 },
    );
    await client.del(`${stream}_wrong`);
  });
});
