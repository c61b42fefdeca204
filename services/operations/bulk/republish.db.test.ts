import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { sinkSchema } from "#services/config/sinks/sink-schema.ts";
import { contextOf } from "#tests/factories/runtime.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { waitFor } from "#tests/wait-for.ts";
import { previewOperation } from "../preview-operation.ts";
import { startOperation } from "../start-operation.ts";
import { bulkOutbox } from "./bulk-outbox.fixture.ts";
import type { OpenReplaySink } from "./replay/replay-sink.ts";

const outbox = bulkOutbox();
const PUBLISHED = { action: "republish" as const, filter: { state: "published" as const }, sink: "stdout" };
const ALL_AT_ONCE = { ratePerSecond: null, rampSeconds: 0, canary: 0, haltPercent: 100 };
let receiver: HttpReceiver;

beforeEach(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.close());

/** The sink `stdout` of the configuration, as http to the receiver. */
const toReceiver: OpenReplaySink = ({ runtime, ...rest }) => {
  const stdout = sinkSchema.parse({ kind: "http", url: `${receiver.url}/events` });
  return openReplaySink({ ...rest, runtime: { ...runtime, config: { ...runtime.config, sinks: { stdout } } } });
};

const publishAll = () => outbox.query("UPDATE outbox_events SET dispatched_at = now()");
const rows = () => outbox.query("SELECT xmin::text, e.* FROM outbox_events e ORDER BY id");
const received = () => receiver.requests.map(({ headers }) => String(headers["webhook-id"]));

async function published(count: number): Promise<string[]> {
  await outbox.put(count, { attempts: 0 });
  await publishAll();
  return (await outbox.query<{ id: string }>("SELECT id FROM outbox_events ORDER BY occurred_at")).map(({ id }) => id);
}

describe("re-publishing what a filter matches", () => {
  test("sends each message under its id, marked with the operation, and changes no row", async () => {
    const ids = await published(60);
    await outbox.put(3);
    const before = await rows();
    await outbox.work(toReceiver);
    const { id } = await outbox.start(PUBLISHED);
    const ended = await outbox.until(id, "finished");
    expect(ended.bulk?.counts).toMatchObject({ selected: 60, published: 60, left: 0, released: 0 });
    expect(ended.bulk).toMatchObject({ sink: "stdout", canary: { size: 10, published: 10, passed: true } });
    expect(received().toSorted()).toEqual(ids.toSorted());
    expect(new Set(receiver.requests.map(({ headers }) => headers["outbox-replay"]))).toEqual(new Set([id]));
    expect(await rows()).toEqual(before);
    expect(await outbox.query("SELECT action FROM outbox_console.audit")).toEqual([{ action: "operation.republish" }]);
    const ofEach = await outbox.query(
      "SELECT 1 FROM outbox_console.attempt UNION ALL SELECT 1 FROM outbox_console.delivery",
    );
    expect(ofEach).toEqual([]);
  });

  test("keeps the messages of an aggregate in their order", async () => {
    const ids = await published(40);
    await outbox.work(toReceiver);
    const { id } = await outbox.start({ ...PUBLISHED, settings: ALL_AT_ONCE });
    await outbox.until(id, "finished");
    const places = received().map((sent) => ids.indexOf(sent));
    const ofFirst = places.filter((place) => place % 5 === 0);
    expect(ofFirst).toEqual(ofFirst.toSorted((one, other) => one - other));
  });

  test("a repeated request with the same key sends nothing twice", async () => {
    await published(5);
    await outbox.work(toReceiver);
    const key = randomUUID();
    const [one, other] = await Promise.all([outbox.start(PUBLISHED, key), outbox.start(PUBLISHED, key)]);
    expect(other.id).toBe(one.id);
    await outbox.until(one.id, "finished");
    expect(received()).toHaveLength(5);
  });

  test("skips what has left the table or is not published any more, and says why", async () => {
    const [gone, pending, ...rest] = await published(6);
    const first = await outbox.work(toReceiver);
    await first.stop();
    const { id } = await outbox.start(PUBLISHED);
    // A monitor without sinks selects and sends nothing.
    const selecting = await outbox.work();
    await waitFor(async () => (await outbox.get(id)).bulk?.counts.selected === 6, { message: "all are selected" });
    await selecting.stop();
    await outbox.query("DELETE FROM outbox_events WHERE id = $1", [gone]);
    await outbox.query("UPDATE outbox_events SET dispatched_at = NULL WHERE id = $1", [pending]);
    await outbox.work(toReceiver);
    const ended = await outbox.until(id, "finished");
    expect(ended.bulk?.counts).toMatchObject({ published: 4, skipped: 2 });
    expect(received().toSorted()).toEqual(rest.toSorted());
    const skipped = (await outbox.items(id)).filter(({ outcome }) => outcome === "skipped");
    expect(Object.fromEntries(skipped.map(({ id, message }) => [id, message]))).toEqual({
      [gone ?? ""]: "It left the table since it was selected.",
      [pending ?? ""]: "It is still to be sent: its first delivery is not over.",
    });
  });

  test("leaves out what a person has paused, and waits while the outbox is paused", async () => {
    await outbox.put(2, { attempts: 0, type: "order.paid" });
    await published(2);
    const pause = (scope: string, subject: string) =>
      outbox.query(
        "INSERT INTO outbox_console.pause (outbox, scope, subject, reason, by) VALUES ('orders', $1, $2, 'INC-7', 'ada')",
        [scope, subject],
      );
    await pause("event_type", "order.paid");
    await pause("outbox", "");
    await outbox.work(toReceiver);
    const { id } = await outbox.start(PUBLISHED);
    await waitFor(async () => (await outbox.get(id)).bulk?.note?.includes("is paused by ada"), { message: "it waits" });
    expect(received()).toEqual([]);
    await outbox.query("DELETE FROM outbox_console.pause WHERE scope = 'outbox'");
    const ended = await outbox.until(id, "finished");
    expect(ended.bulk?.counts).toMatchObject({ published: 2, skipped: 2 });
  });
});

describe("a worker that dies while messages are with the sink", () => {
  test("is followed by another, which sends those without an answer again", async () => {
    const ids = await published(30);
    receiver.answerWith(() => (receiver.requests.length > 12 ? "hang" : { status: 200 }));
    const first = await outbox.work(toReceiver);
    const { id } = await outbox.start({ ...PUBLISHED, settings: ALL_AT_ONCE });
    await receiver.waitForRequests(14);
    await first.stop();
    const between = await outbox.get(id);
    expect(between.bulk?.counts.released).toBeGreaterThan(0);
    receiver.answerWith(() => ({ status: 200 }));
    await outbox.work(toReceiver);
    const ended = await outbox.until(id, "finished");
    expect(ended.bulk?.counts).toMatchObject({ selected: 30, published: 30, released: 0, left: 0 });
    expect(new Set(received())).toEqual(new Set(ids));
  });

  test("leaves them in doubt if the operation is cancelled", async () => {
    await published(30);
    receiver.answerWith(() => "hang");
    const first = await outbox.work(toReceiver);
    const { id } = await outbox.start(PUBLISHED);
    await receiver.waitForRequests(1);
    await outbox.command(id, "cancel");
    await first.stop();
    await outbox.work(toReceiver);
    const ended = await outbox.until(id, "cancelled");
    expect(ended.bulk?.counts).toMatchObject({ unknown: 10, cancelled: 20, left: 0, released: 0 });
    expect((await outbox.items(id)).find(({ outcome }) => outcome === "unknown")?.message).toMatch(
      /^It was handed to the sink, which did not answer/,
    );
  });
});

test("a cancelled operation keeps the answers that could not be written when they came", async () => {
  await published(30);
  const other = await outbox.database().pool.connect();
  try {
    let locked: Promise<unknown> | undefined;
    receiver.answerWith(async () => {
      locked ??= other.query("BEGIN; LOCK TABLE outbox_console.operation_item IN EXCLUSIVE MODE");
      await locked;
      return { status: 200 };
    });
    await outbox.work(toReceiver);
    const { id } = await outbox.start(PUBLISHED);
    await waitFor(async () => (await outbox.get(id)).bulk?.note?.startsWith("Waits: "), { message: "it waits" });
    await outbox.command(id, "cancel");
    const noticed = async () => (await outbox.get(id)).bulk?.timeline.some(({ kind }) => kind === "cancelling");
    await waitFor(noticed, { message: "the runner knows of the cancel" });
    await other.query("COMMIT");
    const ended = await outbox.until(id, "cancelled");
    expect(ended.bulk?.counts).toMatchObject({ published: 10, unknown: 0, cancelled: 20, left: 0, released: 0 });
  } finally {
    other.release(true);
  }
});

describe("a sink that does not take messages", () => {
  test("is waited for while it is down, and no message is to blame", async () => {
    await published(12);
    receiver.answerWith(() => ({ status: 503 }));
    await outbox.work(toReceiver);
    const { id } = await outbox.start(PUBLISHED);
    await waitFor(async () => (await outbox.get(id)).bulk?.note?.startsWith("Waits: Sink stdout"), {
      message: "it waits",
    });
    receiver.answerWith(() => ({ status: 200 }));
    const ended = await outbox.until(id, "finished");
    expect(ended.bulk?.counts).toMatchObject({ published: 12, failed_again: 0 });
  });

  test("halts the operation when it refuses the canary", async () => {
    await published(40);
    receiver.answerWith(() => ({ status: 422, body: "no such order" }));
    await outbox.work(toReceiver);
    const { id } = await outbox.start(PUBLISHED);
    const halted = await outbox.until(id, "halted");
    expect(halted.bulk?.counts).toMatchObject({ failed_again: 10, left: 30 });
    expect(halted.bulk?.note).toMatch(/^10 of the last 10 failed \(halts at 20 %\)/);
  });
});

describe("the start of a re-publish", () => {
  test("needs an administrator, and a sink where no relay of ours has one", async () => {
    await published(1);
    await outbox.work(toReceiver);
    const asOperator = { ctx: contextOf(outbox.runtime()), outbox: "orders", idempotencyKey: null };
    const request = { ...PUBLISHED, reason: "INC-42" };
    await expect(startOperation({ ...asOperator, request })).rejects.toMatchObject({ code: "forbidden" });
    await expect(outbox.start({ ...PUBLISHED, sink: undefined })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(outbox.start({ ...PUBLISHED, sink: "elsewhere" })).rejects.toThrow(
      'There is no sink named "elsewhere".',
    );
  });

  test("is previewed with the sinks it can go to, and refuses what is not published", async () => {
    await published(4);
    await outbox.put(2);
    const request = { action: "republish" as const, filter: { state: "all" as const } };
    const preview = await previewOperation({ ctx: contextOf(outbox.runtime()), outbox: "orders", request });
    expect(preview).toMatchObject({
      sinks: [{ name: "stdout", kind: "log", own: false }],
      refused: [{ reason: "It is dead: retry it.", messages: 2 }],
      blocked: "No worker is alive to do it: start `npm run worker`.",
    });
  });
});
