import { afterEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { ABORTED, PUBLISHED, type Sink } from "../sink.ts";
import { type KafkaUnderTest, kafkaUnderTest, routeTo } from "./kafka-broker.fixture.ts";

const kafka = kafkaUnderTest();
/** A limit that the test waits for, and that a broker on a loaded machine still keeps when it answers. */
const EXPIRES_MS = 3000;
const never = new AbortController().signal;

describe("a kafka sink in an outage", () => {
  let sink: Sink;
  const open = async (fields: Partial<Parameters<KafkaUnderTest["sink"]>[0]> = {}) => {
    const topic = await kafka().createTopic({ partitions: 1 });
    sink = kafka().sink({ route: routeTo(topic), ...fields });
    expect(await sink.publish([makeMessage(0)], never)).toEqual([PUBLISHED]);
    return topic;
  };
  const idsOf = async (topic: string) => (await kafka().read(topic)).map(({ id }) => id?.slice(-3));
  afterEach(() => sink.close());

  test("no answer in time is ambiguous, and the next message uses a new producer", async () => {
    const topic = await open({ timeout: EXPIRES_MS });
    kafka().proxy.swallowAnswers();
    expect(await sink.publish([makeMessage(1)], never)).toMatchObject([
      { failure: { kind: "ambiguous", code: "timeout" } },
    ]);
    await kafka().proxy.resume();
    expect(await sink.publish([makeMessage(2)], never)).toEqual([PUBLISHED]);
    expect(await idsOf(topic)).toEqual(["000", "001", "002"]);
  });

  test("an answer lost with its connection causes a retry without a duplicate", async () => {
    const topic = await open({ timeout: 10_000 });
    kafka().proxy.swallowAnswers();
    const publishing = sink.publish([makeMessage(1), makeMessage(2)], never);
    await waitFor(async () => (await kafka().read(topic)).length === 3, { message: "both arrived" });
    await kafka().proxy.refuse();
    await kafka().proxy.resume();
    expect(await publishing).toEqual([PUBLISHED, PUBLISHED]);
    expect(await sink.publish([makeMessage(3)], never)).toEqual([PUBLISHED]);
    expect(await idsOf(topic)).toEqual(["000", "001", "002", "003"]);
  });

  test("when the broker goes away, sent messages end as ambiguous and unsent ones as environment failures", async () => {
    const topic = await open({ timeout: EXPIRES_MS });
    kafka().proxy.swallowAnswers();
    const sent = sink.publish([makeMessage(1)], never);
    await waitFor(async () => (await kafka().read(topic)).length === 2, { message: "it arrived" });
    const waiting = sink.publish([makeMessage(2, { aggregateId: "b" })], never);
    await kafka().proxy.refuse();
    expect(await waiting).toMatchObject([{ failure: { kind: "environment", code: "unreachable" } }]);
    expect(await sent).toMatchObject([{ failure: { kind: "ambiguous", code: "unreachable" } }]);
  });

  test("after an abort nothing of the call is sent again, and the sink keeps working", async () => {
    const topic = await open({ timeout: 5_000 });
    kafka().proxy.swallowAnswers();
    const abort = new AbortController();
    const publishing = sink.publish([makeMessage(1)], abort.signal);
    await waitFor(async () => (await kafka().read(topic)).length === 2, { message: "it arrived" });
    abort.abort();
    expect(await publishing).toEqual([ABORTED]);
    await kafka().proxy.refuse();
    await kafka().proxy.resume();
    expect(await sink.publish([makeMessage(2)], never)).toEqual([PUBLISHED]);
    expect(await idsOf(topic)).toEqual(["000", "001", "002"]);
  });

  test("a producer unknown to the broker gets a new identity", async () => {
    const topic = await open();
    const { admin } = kafka();
    // Recreated: the new topic does not know the sink's sequence.
    await admin.deleteTopics({ topics: [topic] });
    await waitFor(async () => !(await admin.listTopics()).includes(topic), { message: "the topic is gone" });
    await admin.createTopics({ topics: [topic], partitions: 1, replicas: 1 });
    await waitFor(async () => (await kafka().read(topic)).length === 0, { message: "the new topic can be read" });
    expect(await sink.publish([makeMessage(1), makeMessage(2)], never)).toEqual([PUBLISHED, PUBLISHED]);
    expect(await idsOf(topic)).toEqual(["001", "002"]);
  });

  test("recovers without help when the broker is killed and restarted", async () => {
    const topic = await open({ timeout: 3_000 });
    const outcomes: string[] = [];
    let over = false;
    let next = 1;
    const publishing = (async () => {
      while (!over) {
        const batch = Array.from({ length: 20 }, (_, n) => makeMessage(next + n, { aggregateId: `k${n % 4}` }));
        const answers = await sink.publish(batch, never);
        const confirmed = answers.every(({ kind }) => kind === "published");
        outcomes.push(confirmed ? "published" : "failed");
        if (confirmed) next += 20;
      }
    })();
    await waitFor(() => outcomes.includes("published"), { message: "it publishes" });
    await kafka().broker.kill();
    await waitFor(() => outcomes.includes("failed"), { message: "it notices" });
    await kafka().broker.start();
    await waitFor(() => outcomes.at(-1) === "published", { message: "it publishes again", timeoutMs: 30_000 });
    over = true;
    await publishing;
    const records = await waitFor(() => kafka().read(topic), { message: "it can be read" });
    const ids = new Set(records.map(({ id }) => id));
    for (let n = 0; n < next; n += 1) expect(ids).toContain(makeMessage(n).eventId);
    for (const run of Map.groupBy(records, ({ key }) => key).values()) {
      const first = [...new Set(run.map(({ id }) => id ?? ""))];
      expect(first).toEqual(first.toSorted());
    }
  });
});
