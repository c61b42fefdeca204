import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { BrokerKind } from "./broker-kinds.ts";
import { BROKER_KINDS } from "./broker-kinds.ts";
import { writeComposeOverride } from "./compose-override.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outbox-console-override-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function override(kind: BrokerKind, settings: Record<string, string>) {
  return JSON.parse(await readFile(await writeComposeOverride(kind, folder, settings), "utf8")).services[kind];
}

test("each broker gets its settings in its image's form", async () => {
  expect(await override("kafka", { "message.max.bytes": "2000", "a_b-c.d": "1" })).toEqual({
    environment: { KAFKA_MESSAGE_MAX_BYTES: "2000", KAFKA_A__B___C_D: "1" },
  });
  expect((await override("redis", { maxmemory: "10mb" })).command.slice(-2)).toEqual(["--maxmemory", "10mb"]);
  const rabbitmq = await override("rabbitmq", { channel_max: "5" });
  expect(rabbitmq.volumes[0]).toMatch(/:\/etc\/rabbitmq\/conf\.d\/90-settings\.conf:ro$/);
  expect(await readFile(join(folder, "rabbitmq.conf"), "utf8")).toBe("channel_max = 5\n");
  await override("nats", { max_payload: "1000" });
  expect(await readFile(join(folder, "nats.conf"), "utf8")).toBe("max_payload: 1000\n");
});

test("the compose file has every broker, on loopback only and with a pinned image", async () => {
  const { services } = parse(await readFile(new URL("../../deploy/compose.test.yaml", import.meta.url), "utf8"));
  expect(Object.keys(services).toSorted()).toEqual(BROKER_KINDS.toSorted());
  for (const kind of BROKER_KINDS) {
    expect(services[kind].image).toMatch(/:\d+\.\d+\.\d+$/);
    expect(services[kind].ports).toEqual([expect.stringContaining(`127.0.0.1:\${${kind.toUpperCase()}_PORT:-`)]);
  }
});
