import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { describeSinkConformance } from "../sink.conformance.ts";
import { createLogSink } from "./log-sink.ts";

function collect() {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString("utf8");
      done();
    },
  });
  const lines = () =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return { stream, lines };
}

describeSinkConformance("log", async () => {
  const { stream, lines } = collect();
  return {
    sink: createLogSink({ outbox: "orders", stream }),
    received: () => lines().map((line) => ({ id: line.event_id, body: line.payload })),
    close: async () => undefined,
  };
});

describe("a log sink", () => {
  test("writes one line per message, in order", async () => {
    const { stream, lines } = collect();
    const sink = createLogSink({ outbox: "orders", stream });
    await sink.publish([makeMessage(1), makeMessage(2)], new AbortController().signal);
    expect(lines().map((line) => [line.outbox, line.payload])).toEqual([
      ["orders", '{"n":1}'],
      ["orders", '{"n":2}'],
    ]);
  });

  test("a pipe that nobody reads holds no call that has ended, and no sink that closes", async () => {
    const stream = new Writable({ write: () => undefined });
    const sink = createLogSink({ outbox: "orders", stream });
    const ending = new AbortController();
    const [ended, closed] = [ending.signal, new AbortController().signal].map((signal) =>
      sink.publish([makeMessage(1)], signal),
    );
    ending.abort();
    expect(await ended).toEqual([{ kind: "aborted" }]);
    await sink.close();
    expect(await closed).toEqual([{ kind: "aborted" }]);
  });

  test("a stream that cannot be written is an environment failure", async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
    stream.on("error", () => undefined);
    const sink = createLogSink({ outbox: "orders", stream });
    const [outcome] = await sink.publish([makeMessage(1)], new AbortController().signal);
    expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "environment" } });
  });
});
