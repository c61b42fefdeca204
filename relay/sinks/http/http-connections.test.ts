import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import type { Sink } from "../sink.ts";
import { openTestSink } from "./open-test-sink.fixture.ts";
import { type RawReceiver, startRawReceiver } from "./raw-receiver.fixture.ts";

const never = new AbortController().signal;
const CONFIRMED = "HTTP/1.1 204 No Content\r\n\r\n";
const answerOf = (status: string) => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`;

describe("connections of an http sink", () => {
  let receiver: RawReceiver;
  let sink: Sink;
  beforeEach(async () => {
    receiver = await startRawReceiver();
    sink = openTestSink({ url: receiver.url }, {}, { concurrency: 1 });
  });
  afterEach(async () => {
    await sink.close();
    await receiver.close();
  });
  const publish = async (n: number) => (await sink.publish([makeMessage(n)], never))[0];

  /** Behind one address there are several instances; the first connection is with one that answers like this. */
  const firstInstance = (status: string) =>
    receiver.answerWith((socket, connection) => void socket.write(connection === 1 ? answerOf(status) : CONFIRMED));

  test.each(["401 Unauthorized", "404 Not Found", "421 Misdirected Request", "500 x", "503 Unavailable", "302 Found"])(
    "after %s the next request goes over a new one, which may lead to another instance",
    async (status) => {
      firstInstance(status);
      expect(await publish(1)).toMatchObject({ kind: "failed" });
      expect(await publish(2)).toEqual({ kind: "published" });
    },
  );

  test.each(["204 No Content", "422 Unprocessable", "413 Too Large", "429 Too Many Requests"])(
    "after %s, which is no fault of the instance, the connection is kept",
    async (status) => {
      firstInstance(status);
      await publish(1);
      await publish(2);
      expect(receiver.connections()).toBe(1);
    },
  );

  test("are not replaced with every error where a receiver answers many", async () => {
    receiver.answerWith((socket) => void socket.write(answerOf("500 x")));
    for (let n = 1; n <= 20; n += 1) await publish(n);
    expect(receiver.connections()).toBe(2);
  });

  test("requests that wait for their answer keep theirs", async () => {
    await sink.close();
    sink = openTestSink({ url: receiver.url }, {}, { concurrency: 2 });
    const waiting = new Promise<() => void>((resolve) => {
      receiver.answerWith((socket, connection) => {
        if (connection === 1) resolve(() => socket.write(CONFIRMED));
        else socket.write(answerOf("503 x"));
      });
    });
    const first = publish(1);
    const answer = await waiting;
    expect(await publish(2)).toMatchObject({ kind: "failed" });
    answer();
    expect(await first).toEqual({ kind: "published" });
  });

  test("an address of IPv6 is checked as it is published to", async () => {
    const six = await startRawReceiver("::1");
    const other = openTestSink({ url: six.url });
    expect(await other.check()).toBeNull();
    expect(await other.publish([makeMessage(1)], never)).toEqual([{ kind: "published" }]);
    await other.close();
    await six.close();
  });

  test("102 Processing again and again is no answer", async () => {
    let interim: NodeJS.Timeout | undefined;
    receiver.answerWith((socket) => {
      interim = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 50);
    });
    const outcome = await publish(1);
    clearInterval(interim);
    expect(outcome).toMatchObject({
      failure: { kind: "ambiguous", code: "timeout", message: "no answer within 300 ms" },
    });
  });

  test("103 Early Hints before the answer does no harm", async () => {
    receiver.answerWith((socket) => void socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${CONFIRMED}`));
    expect(await publish(1)).toEqual({ kind: "published" });
  });
});
