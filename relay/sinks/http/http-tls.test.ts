import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { HttpSinkConfig } from "#services/config/sinks/http-sink-schema.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { makeCertificates, type TestCertificates } from "#tests/make-certificates.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { openTestSink } from "./open-test-sink.fixture.ts";

const never = new AbortController().signal;

describe("an http sink over TLS", () => {
  let certificates: TestCertificates;
  let receiver: HttpReceiver | undefined;
  beforeAll(() => {
    certificates = makeCertificates();
  });
  afterEach(() => receiver?.close());

  async function publish(tls: HttpSinkConfig["tls"], server: object = {}) {
    receiver = await startHttpReceiver({ tls: { ...certificates.server, ...server } });
    const sink = openTestSink({ url: receiver.url, tls });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    await sink.close();
    return outcome;
  }

  test("trusts the configured authority", async () => {
    expect(await publish({ ca: certificates.ca, insecure: false })).toEqual({ kind: "published" });
  });

  test.each([false, true])(
    "distrusts it without that setting (tls: %s): an environment failure with the reason",
    async (tls) => {
      expect(await publish(tls)).toMatchObject({
        failure: { kind: "environment", code: "unreachable", message: expect.stringMatching(/certificate/) },
      });
      expect(receiver?.requests).toEqual([]);
    },
  );

  test("presents the client certificate on request", async () => {
    const asks = { requestCert: true, rejectUnauthorized: true, ca: certificates.ca };
    const { ca, client } = certificates;
    expect(await publish({ ca, ...client, insecure: false }, asks)).toEqual({ kind: "published" });
  });

  test("accepts any certificate when insecure", async () => {
    expect(await publish({ insecure: true })).toEqual({ kind: "published" });
  });
});
