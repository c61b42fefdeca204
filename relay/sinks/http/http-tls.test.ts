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
        failure: {
          kind: "environment",
          code: "unreachable",
          message: expect.stringMatching(/^the certificate is not signed by a trusted authority \([A-Z_]+\)$/),
        },
      });
      expect(receiver?.requests).toEqual([]);
    },
  );

  test("presents the client certificate on request", async () => {
    const asks = { requestCert: true, rejectUnauthorized: true, ca: certificates.ca };
    const { ca, client } = certificates;
    expect(await publish({ ca, ...client, insecure: false }, asks)).toEqual({ kind: "published" });
  });

  test("a port that does not speak TLS is said to be one", async () => {
    const plain = await startHttpReceiver();
    const sink = openTestSink({ url: plain.url.replace("http:", "https:") });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    await Promise.all([sink.close(), plain.close()]);
    const message = expect.stringMatching(/^the port answers without TLS \([A-Z_]+\)$/);
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unreachable", message } });
  });

  test("accepts any certificate when insecure", async () => {
    expect(await publish({ insecure: true })).toEqual({ kind: "published" });
  });
});
