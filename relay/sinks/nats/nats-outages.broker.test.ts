import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { findProgram } from "#tests/brokers/find-program.ts";
import { findNatsProgram } from "#tests/brokers/nats-program.ts";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { runProgram } from "#tests/brokers/run-program.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { makeCertificates } from "#tests/make-certificates.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { expectToSurviveKill } from "../survives-kill.conformance.ts";
import { openSide, openSink } from "./nats-side.fixture.ts";

const never = new AbortController().signal;
const PUBLISHED = { kind: "published" };
const ABORTED = { kind: "aborted" };

const broker = testBroker("nats");

describe("a nats sink without its server", () => {
  const openOwnSide = async (limits: Partial<StreamConfig> = {}) => {
    const side = await openSide(broker(), limits);
    onTestFinished(() => side.close());
    return side;
  };

  test("missing JetStream affects every message, so it is an environment failure", async () => {
    const own = await ownBroker("nats", { settings: { accounts: "{ A: { users: [{ user: a, password: b }] } }" } });
    const sink = openSink(own.url, "x", { user: "a", password: "b" });
    const [outcome] = await sink.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unavailable" } });
  });

  test("credentials and permissions", async () => {
    const users = [
      "{ user: admin, password: admin }",
      '{ user: writer, password: secret, permissions: { publish: { deny: "*.orders.closed" } } }',
      '{ user: blind, password: secret, permissions: { publish: { deny: "$JS.API.>" } } }',
      '{ user: deaf, password: secret, permissions: { subscribe: { deny: ">" } } }',
    ];
    const own = await ownBroker("nats", { settings: { authorization: `{ users: [${users.join(", ")}] }` } });
    const side = await openSide(own, {}, { user: "admin", pass: "admin" });
    onTestFinished(() => side.close());
    const auth = { kind: "environment", code: "auth" };
    expect(await openSink(own.url, side.prefix).check()).toMatchObject(auth);
    const wrong = openSink(own.url, side.prefix, { user: "writer", password: "wrong-password" });
    const [outcome] = await wrong.publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: auth });
    expect(JSON.stringify(outcome)).not.toContain("wrong-password");
    expect(await openSink(own.url, side.prefix, { user: "deaf", password: "secret" }).check()).toMatchObject(auth);
    const writer = openSink(own.url.replace("://", "://writer:secret@"), side.prefix);
    const outcomes = await writer.publish(
      [makeMessage(1), makeMessage(2, { aggregateId: "b", topic: "orders.closed" })],
      never,
    );
    expect(outcomes).toMatchObject([PUBLISHED, { failure: { kind: "route", code: "auth" } }]);
    // Whether a repeat is one is not known: it arrives again, and once.
    const blind = openSink(own.url.replace("://", "://blind:secret@"), side.prefix);
    for (let sent = 0; sent < 2; sent += 1) expect(await blind.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    expect(await side.received()).toHaveLength(2);
  });

  test("a token", async () => {
    const own = await ownBroker("nats", { settings: { authorization: "{ token: s3cret }" } });
    expect(await openSink(own.url, "x", { token: "s3cret" }).check()).toBeNull();
    expect(await openSink(own.url, "x", { token: "wrong" }).check()).toMatchObject({ code: "auth" });
  });

  test("TLS with a private authority and a client certificate", async ({ skip }) => {
    // The server reads certificates from files, which a container cannot see.
    if (findProgram("nats-server") === null) skip("no nats-server on this machine to give certificates to");
    const program = findNatsProgram();
    // For an address only, as the URL has it.
    const { ca, server, client } = makeCertificates("IP:127.0.0.1");
    const folder = await mkdtemp(join(tmpdir(), "outbox-console-nats-tls-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(`${folder}/ca.pem`, ca);
    await writeFile(`${folder}/cert.pem`, server.cert);
    await writeFile(`${folder}/key.pem`, server.key);
    const tls = `{ cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem", ca_file: "${folder}/ca.pem", verify: true }`;
    const own = await runProgram("nats", program, { settings: { tls } });
    onTestFinished(() => own.remove());
    const known = { ca, ...client, insecure: false };
    expect(await openSink(own.url, "x", { tls: known }).check()).toBeNull();
    const elsewhere = own.url.replace("127.0.0.1", "localhost");
    expect(await openSink(elsewhere, "x", { tls: known }).check()).toMatchObject({
      message: expect.stringMatching(/ALTNAME_INVALID/),
    });
    expect(await openSink(own.url, "x", { tls: true }).check()).toMatchObject({
      kind: "environment",
      code: "unreachable",
    });
    expect(await openSink(broker().url, "x", { tls: known }).check()).toMatchObject({ code: "unreachable" });
  });

  test("an unreachable server or unknown host fails at once", async () => {
    for (const server of ["nats://127.0.0.1:1", "nats://nowhere.invalid:4222"]) {
      const [outcome] = await openSink(server, "x").publish([makeMessage(1)], never);
      expect(outcome).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
    }
  });

  test("no confirmation in time is ambiguous; the next try has a new connection", async () => {
    const side = await openOwnSide();
    const { host, port } = broker();
    const proxy = await startTcpProxy({ host, port });
    onTestFinished(() => proxy.close());
    const sink = openSink(`127.0.0.1:${proxy.port}`, side.prefix, { timeout: 2_000 });
    await sink.connect();
    proxy.swallowAnswers();
    const [late] = await sink.publish([makeMessage(1)], never);
    expect(late).toMatchObject({ failure: { kind: "ambiguous", code: "timeout" } });
    await proxy.resume();
    expect(await sink.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    expect(await side.received()).toHaveLength(1);
  });

  test("what was sent after a message without confirmation is late too, rather than cut off", async () => {
    const side = await openOwnSide();
    const { host, port } = broker();
    const proxy = await startTcpProxy({ host, port });
    onTestFinished(() => proxy.close());
    const sink = openSink(`127.0.0.1:${proxy.port}`, side.prefix, { timeout: 500 });
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
    const sink = openSink(`127.0.0.1:${proxy.port}`, side.prefix);
    await sink.connect();
    proxy.swallowAnswers();
    const publishing = sink.publish([makeMessage(1), makeMessage(2)], never);
    await waitFor(async () => (await side.received()).length === 1, { message: "it arrived" });
    proxy.cut();
    expect(await publishing).toMatchObject([{ failure: { kind: "ambiguous", code: "unreachable" } }, ABORTED]);
  });

  test("survives a killed and restarted server; nothing confirmed is lost", async () => {
    const own = await ownBroker("nats");
    const { prefix, connection } = await openSide(own);
    await connection.close();
    const arrivedIds = async () => {
      const again = await connect({ servers: own.url });
      const { streams } = await jetstreamManager(again);
      const { state } = await streams.info(prefix);
      const arrived = new Set<string | undefined>();
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        arrived.add((await streams.getMessage(prefix, { seq }))?.header.get("Nats-Msg-Id"));
      }
      await again.close();
      return arrived;
    };
    await expectToSurviveKill({ sink: openSink(own.url, prefix), broker: own, arrivedIds });
  });
});
