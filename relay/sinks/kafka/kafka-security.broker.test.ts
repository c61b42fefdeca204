import { pbkdf2Sync, randomBytes } from "node:crypto";
import { alterUserScramCredentialsV0, ConnectionPool } from "@platformatic/kafka";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { KafkaSinkConfig } from "#services/config/sinks/kafka-sink-schema.ts";
import { findFreePort } from "#tests/free-port.ts";
import { makeCertificates } from "#tests/make-certificates.ts";
import { waitFor } from "#tests/wait-for.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import { PUBLISHED, type Sink } from "../sink.ts";
import { kafkaUnderTest, routeTo } from "./kafka-broker.fixture.ts";

const never = new AbortController().signal;
const certificates = makeCertificates();
/** Kafka's number of the mechanism, its digest and the digest's length in bytes. */
const SCRAM = [
  [1, "sha256", 32],
  [2, "sha512", 64],
] as const;
/** The broker's first session of a kind loads its code, which takes seconds on busy cores. */
const PATIENCE = { timeout: 30_000, connectTimeout: 30_000 };
let ports: { sasl: number; tls: number };

const kafka = kafkaUnderTest(async () => {
  ports = { sasl: await findFreePort(), tls: await findFreePort() };
  const login = (module: string, rest = "") => `org.apache.kafka.common.security.${module} required${rest};`;
  const oneLine = (pem: string) => pem.trim().replaceAll("\n", "\\n");
  return {
    listeners: `,SASL://127.0.0.1:${ports.sasl},TLS://127.0.0.1:${ports.tls}`,
    advertised: `,SASL://127.0.0.1:${ports.sasl},TLS://localhost:${ports.tls}`,
    protocols: ",SASL:SASL_PLAINTEXT,TLS:SSL",
    "listener.name.sasl.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
    "listener.name.sasl.plain.sasl.jaas.config": login("plain.PlainLoginModule", ' user_alice="sesame"'),
    "listener.name.sasl.scram-sha-256.sasl.jaas.config": login("scram.ScramLoginModule"),
    "listener.name.sasl.scram-sha-512.sasl.jaas.config": login("scram.ScramLoginModule"),
    "listener.name.tls.ssl.keystore.type": "PEM",
    "listener.name.tls.ssl.keystore.certificate.chain": oneLine(certificates.server.cert),
    "listener.name.tls.ssl.keystore.key": oneLine(certificates.server.key),
    "listener.name.tls.ssl.truststore.type": "PEM",
    "listener.name.tls.ssl.truststore.certificates": oneLine(certificates.ca),
    "listener.name.tls.ssl.client.auth": "required",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "allow.everyone.if.no.acl.found": "true",
    "super.users": "User:ANONYMOUS",
  };
});

describe("a kafka sink that must authenticate", () => {
  let sink: Sink | undefined;
  const open = (topic: string, fields: Partial<KafkaSinkConfig>) => {
    sink = kafka().sink({ route: routeTo((message) => message.topic ?? topic), ...PATIENCE, ...fields });
    return sink;
  };
  const as = (mechanism: "plain" | "scram-sha-256" | "scram-sha-512", password = "sesame") => ({
    brokers: [`127.0.0.1:${ports.sasl}`],
    sasl: { mechanism, username: "alice", password },
  });
  beforeAll(async () => {
    if (kafka() !== undefined) await makeUser(kafka().broker);
  });
  afterEach(() => sink?.close());

  test.each(["plain", "scram-sha-256", "scram-sha-512"] as const)("publishes by %s", async (mechanism) => {
    const topic = await kafka().createTopic();
    expect(await open(topic, as(mechanism)).publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    expect(await kafka().read(topic)).toHaveLength(1);
  });

  test.each(["plain", "scram-sha-256"] as const)(
    "a wrong password for %s is the environment's fault",
    async (mechanism) => {
      const wrong = open("t", as(mechanism, "open"));
      const [outcome] = await wrong.publish([makeMessage(1)], never);
      expect(outcome).toMatchObject({ failure: { kind: "environment", code: "auth" } });
      expect(await wrong.check()).toMatchObject({ code: "auth" });
      expect(JSON.stringify([outcome, wrong.describe()])).not.toContain('open"');
    },
  );

  test("missing credentials are an environment failure", async () => {
    const [outcome] = await open("t", { brokers: as("plain").brokers }).publish([makeMessage(1)], never);
    expect(outcome).toMatchObject({ failure: { kind: "environment" } });
  });

  test("a forbidden topic is the fault of the route: its messages lose no attempt, and others go on", async () => {
    const [open1, forbidden] = [await kafka().createTopic(), await kafka().createTopic()];
    await forbid(forbidden);
    const outcomes = await open(open1, as("plain")).publish(
      [makeMessage(1, { topic: forbidden, aggregateId: "b" }), makeMessage(2)],
      never,
    );
    expect(outcomes[0]).toMatchObject({ failure: { kind: "route", code: "auth" } });
    expect(outcomes[1]).toEqual(PUBLISHED);
  });

  test("publishes over TLS with a client certificate", async () => {
    const topic = await kafka().createTopic();
    const tls = { ca: certificates.ca, ...certificates.client, insecure: false };
    const secure = open(topic, { brokers: [`localhost:${ports.tls}`], tls });
    expect(await secure.publish([makeMessage(1)], never)).toEqual([PUBLISHED]);
    expect(await kafka().read(topic)).toHaveLength(1);
  });

  test("an unknown authority and a missing certificate are environment failures", async () => {
    const strange = open("t", { brokers: [`localhost:${ports.tls}`], tls: true });
    expect(await strange.check()).toMatchObject({ kind: "environment", code: "unreachable" });
    await strange.close();
    const bare = open("t", { brokers: [`localhost:${ports.tls}`], tls: { ca: certificates.ca, insecure: false } });
    expect(await bare.check()).toMatchObject({ kind: "environment" });
  });

  test("an exhausted quota is an environment failure with a retry time", async () => {
    const topic = await kafka().createTopic({ partitions: 1 });
    const clientId = "throttled";
    const ops = [{ key: "producer_byte_rate" as const, value: 2_000, remove: false as const }];
    const entities = [{ entityType: "client-id" as const, entityName: clientId }];
    await kafka().admin.alterClientQuotas({ entries: [{ entities, ops }] });
    const slow = open(topic, { clientId, timeout: 1_000 });
    const throttled = await waitFor(
      async () => {
        const [outcome] = await slow.publish([makeMessage(1, { payload: "x".repeat(30_000) })], never);
        return outcome?.kind === "failed" && outcome;
      },
      { message: "the quota is used up" },
    );
    expect(throttled).toMatchObject({ failure: { kind: "environment", code: "throttled" } });
    expect(throttled.failure.retryAfterMs).toBeGreaterThan(0);
  });

  async function forbid(topic: string): Promise<void> {
    const everything = { operation: 2, permissionType: 2, host: "*", principal: "User:alice" };
    const creations = [{ resourceType: 2, resourceName: topic, resourcePatternType: 3, ...everything }];
    await kafka().admin.createAcls({ creations: creations as never });
    await waitFor(
      async () => {
        const probe = kafka().sink({ route: routeTo(topic), ...PATIENCE, ...as("plain") });
        const [outcome] = await probe.publish([makeMessage(0)], never);
        await probe.close();
        return outcome?.kind === "failed";
      },
      { message: "the broker forbids it" },
    );
  }
});

async function makeUser({ host, port }: { host: string; port: number }): Promise<void> {
  const pool = new ConnectionPool("admin");
  const connection = await pool.get({ host, port });
  for (const [mechanism, digest, bytes] of SCRAM) {
    const salt = randomBytes(16);
    const saltedPassword = pbkdf2Sync("sesame", salt, 4096, bytes, digest);
    const user = { name: "alice", mechanism, iterations: 4096, salt, saltedPassword };
    await alterUserScramCredentialsV0.api.async(connection, [], [user]);
  }
  await pool.close();
}
