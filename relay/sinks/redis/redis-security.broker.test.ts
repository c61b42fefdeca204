import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { ownBroker } from "#tests/brokers/own-broker.ts";
import { findFreePort } from "#tests/free-port.ts";
import { makeCertificates } from "#tests/make-certificates.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { never, openRedisSink, run } from "./redis-target.fixture.ts";

describe("a private Redis", () => {
  test("refused passwords and users are environment failures, and correct ones work", async () => {
    const broker = await ownBroker("redis", { settings: { requirepass: "p@ss/w:rd" } });
    const admin = new Redis({ ...{ host: broker.host, port: broker.port }, password: "p@ss/w:rd" });
    await admin.call("ACL", ["SETUSER", "reader", "on", ">pw", "~*", "+@read", "+ping"]);
    await admin.call("ACL", ["SETUSER", "relay", "on", ">pw", "~*", "+eval", "+xadd", "+ping"]);
    await admin.call("ACL", ["SETUSER", "plain", "on", ">pw", "~*", "+xadd", "+ping"]);
    const ask = async (userInfo: string, messages = [makeMessage(1)]) => {
      const sink = openRedisSink("s", { url: `redis://${userInfo}${broker.host}:${broker.port}` });
      await sink.connect();
      const [outcome] = await sink.publish(messages, never);
      const answer = { check: await sink.check(), outcome };
      await sink.close();
      expect(JSON.stringify(answer)).not.toMatch(/p@ss|p%40|nope/);
      return answer;
    };
    const auth = { failure: { kind: "environment", code: "auth" } };
    expect((await ask("")).outcome).toMatchObject(auth);
    expect((await ask(":nope@")).outcome).toMatchObject(auth);
    expect((await ask(":nope@")).check).toMatchObject({ code: "auth" });
    expect((await ask("reader:pw@")).outcome).toMatchObject(auth);
    expect(await ask(`:${encodeURIComponent("p@ss/w:rd")}@`)).toEqual({ check: null, outcome: { kind: "published" } });
    expect(await ask("relay:pw@")).toEqual({ check: null, outcome: { kind: "published" } });
    expect(await ask("relay:pw@", run(2))).toEqual({ check: null, outcome: { kind: "published" } });
    expect(await ask("plain:pw@")).toEqual({ check: null, outcome: { kind: "published" } });
    expect((await ask("plain:pw@", run(2))).outcome).toMatchObject(auth);
    expect((await ask(`default:${encodeURIComponent("p@ss/w:rd")}@`)).outcome).toEqual({ kind: "published" });
    admin.disconnect();
  });

  test("TLS: a known authority is trusted, an unknown one is an environment failure", async () => {
    const certificates = makeCertificates();
    const port = await findFreePort();
    const folder = (await ownBroker("redis")).folder;
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const broker = await ownBroker("redis", {
      settings: {
        "tls-port": String(port),
        "tls-cert-file": file("cert.pem", certificates.server.cert),
        "tls-key-file": file("key.pem", certificates.server.key),
        "tls-ca-cert-file": file("ca.pem", certificates.ca),
      },
    });
    const publish = async (files: { ca?: string; cert?: string; key?: string }) => {
      const tls = { insecure: false, ...files };
      const sink = openRedisSink("s", { url: `rediss://${broker.host}:${port}`, tls });
      const [outcome] = await sink.publish([makeMessage(1)], never);
      await sink.close();
      return outcome;
    };
    expect(await publish({ ca: certificates.ca, ...certificates.client })).toEqual({ kind: "published" });
    expect(await publish({})).toMatchObject({ failure: { kind: "environment", code: "unreachable" } });
    expect(await publish({ ca: certificates.ca })).toMatchObject({ failure: { kind: "environment" } });
  });
});
