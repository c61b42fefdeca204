import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { Connection } from "rabbitmq-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { makeCertificates } from "#tests/make-certificates.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { expectToSurviveKill } from "../survives-kill.conformance.ts";
import { openSide, openSink } from "./rabbitmq-side.fixture.ts";

const never = new AbortController().signal;
const PUBLISHED = { kind: "published" };
const ABORTED = { kind: "aborted" };

/** So that messages of different calls have different times of sending. */
const nextMillisecond = () => new Promise((resolve) => setTimeout(resolve, 1));

const broker = testBroker("rabbitmq");

describe("a rabbitmq sink without its broker", () => {
  const openOwnSide = async (queueArguments: Record<string, unknown> = {}) => {
    const side = await openSide(broker(), queueArguments);
    onTestFinished(() => side.close());
    return side;
  };

  test("a missing exchange is an environment failure, and `declare` creates it", async () => {
    const exchange = uniqueName("exchange");
    const sink = openSink(broker().url, { exchange });
    const [missing] = await sink.publish([makeMessage(1)], never);
    expect(missing).toMatchObject({
      failure: {
        kind: "environment",
        code: "unavailable",
        message: expect.stringContaining(`no exchange '${exchange}'`),
      },
    });
    expect(await sink.check()).toMatchObject({ code: "unavailable" });
    const declaring = openSink(broker().url, { exchange, exchangeType: "fanout", declare: true });
    expect(await declaring.check()).toBeNull();
    const side = await openOwnSide();
    await side.channel.queueBind({ exchange, queue: side.queue });
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    await side.channel.exchangeDelete({ exchange });
    const gone = await sink.publish(
      Array.from({ length: 9 }, (_, n) => makeMessage(n, { aggregateId: `a${n}` })),
      never,
    );
    expect(new Set(gone.map((outcome) => outcome.kind === "failed" && outcome.failure.code))).toEqual(
      new Set(["unavailable"]),
    );
  });

  test("an exchange of another type is not redeclared", async () => {
    const side = await openOwnSide();
    const sink = openSink(broker().url, { exchange: side.exchange, exchangeType: "direct", declare: true });
    expect(await sink.check()).toMatchObject({ kind: "environment", code: "unavailable" });
  });

  test("wrong credentials and a missing virtual host have different failures", async () => {
    const { host, port } = broker();
    const stranger = openSink(`amqp://stranger:secret-password@${host}:${port}`);
    const [outcome] = await stranger.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "auth" } });
    expect(JSON.stringify(outcome)).not.toContain("secret-password");
    const lost = openSink(`amqp://guest:guest@${host}:${port}/nowhere`);
    expect(await lost.check()).toMatchObject({ kind: "environment", code: "unavailable" });
  });

  test("a host that does not exist is an environment failure", async () => {
    const [outcome] = await openSink("amqp://guest:secret@nowhere.invalid").publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
  });

  test("no confirmation in time is ambiguous; the next try has a new connection", async () => {
    const side = await openOwnSide();
    const { host, port } = broker();
    const proxy = await startTcpProxy({ host, port });
    onTestFinished(() => proxy.close());
    const sink = openSink(`amqp://guest:guest@127.0.0.1:${proxy.port}`, { exchange: side.exchange, timeout: 2_000 });
    await sink.connect();
    proxy.swallowAnswers();
    const [late] = await sink.publish([makeMessage(1)], never);
    expect(late).toMatchObject({ failure: { kind: "ambiguous", code: "timeout" } });
    await proxy.resume();
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
  });

  test("what was sent after a message without confirmation is late too, rather than cut off", async () => {
    const side = await openOwnSide();
    const { host, port } = broker();
    const proxy = await startTcpProxy({ host, port });
    onTestFinished(() => proxy.close());
    const sink = openSink(`amqp://guest:guest@127.0.0.1:${proxy.port}`, { exchange: side.exchange, timeout: 500 });
    await sink.connect();
    proxy.swallowAnswers();
    const first = sink.publish([makeMessage(1)], never);
    await waitFor(async () => (await side.received()).length === 1, { message: "the first arrived" });
    const second = sink.publish([makeMessage(2)], never);
    const late = { kind: "ambiguous", code: "timeout" };
    expect(await Promise.all([first, second])).toMatchObject([[{ failure: late }], [{ failure: late }]]);
  });

  test("a connection cut after sending is ambiguous", async () => {
    const side = await openOwnSide();
    const { host, port } = broker();
    const proxy = await startTcpProxy({ host, port });
    onTestFinished(() => proxy.close());
    const sink = openSink(`amqp://guest:guest@127.0.0.1:${proxy.port}`, { exchange: side.exchange });
    await sink.connect();
    proxy.swallowAnswers();
    const publishing = sink.publish([makeMessage(1), makeMessage(2)], never);
    await waitFor(async () => (await side.received()).length === 1, { message: "it arrived" });
    proxy.cut();
    const outcomes = await publishing;
    expect(outcomes).toMatchObject([{ failure: { kind: "ambiguous", code: "unreachable" } }, ABORTED]);
  });

  test("TLS with a private authority", async () => {
    const { ca, server } = makeCertificates();
    const { host, port } = broker();
    const front = createServer({ ...server }, (socket) => {
      const upstream = connect({ host, port });
      socket.on("error", () => upstream.destroy()).pipe(upstream);
      upstream.on("error", () => socket.destroy()).pipe(socket);
    });
    front.on("tlsClientError", () => undefined);
    await once(front.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void front.close());
    const url = `amqps://guest:guest@127.0.0.1:${(front.address() as AddressInfo).port}`;
    expect(await openSink(url, { tls: { ca, insecure: false } }).check()).toBeNull();
    expect(await openSink(url, { tls: { insecure: true } }).check()).toBeNull();
    expect(await openSink(url).check()).toMatchObject({ kind: "environment", code: "unreachable" });
  });

  test("a broker alarm throttles, and no message is to blame", async () => {
    const own = await ownBroker("rabbitmq", { settings: { "vm_memory_high_watermark.absolute": "1MB" } });
    const sink = openSink(own.url, { timeout: 500 });
    const throttled = { kind: "environment", code: "throttled" };
    // The broker announces its alarm on the first publish.
    await sink.connect();
    const inTurn: ReturnType<typeof sink.publish>[] = [];
    for (let n = 0; n < 20; n += 1) {
      inTurn.push(sink.publish([makeMessage(n, { aggregateId: `a${n}` })], never));
      await nextMillisecond();
    }
    for (const outcomes of await Promise.all(inTurn)) expect(outcomes).toMatchObject([{ failure: throttled }]);
    expect(await sink.publish([makeMessage(1)], never)).toMatchObject([{ failure: throttled }]);
  });

  test("survives a killed and restarted broker; nothing confirmed is lost", { timeout: 180_000 }, async () => {
    const own = await ownBroker("rabbitmq");
    const { exchange, queue, leave } = await openSide(own);
    await leave();
    // The broker persists declarations with a delay; killed earlier, it would lose the queue.
    await own.restart();
    const arrivedIds = async () => {
      const reader = new Connection(own.url);
      const arrived = new Set<string | undefined>();
      for (let next = await reader.basicGet({ queue, noAck: true }); next; ) {
        arrived.add(next.messageId);
        next = await reader.basicGet({ queue, noAck: true });
      }
      await reader.close();
      return arrived;
    };
    await expectToSurviveKill({ sink: openSink(own.url, { exchange }), broker: own, arrivedIds });
  });
});
