import { expect, test } from "vitest";
import type { Cluster, TopicMetadata } from "./cluster.ts";
import { Topics } from "./topics.ts";

const [OK, UNKNOWN_TOPIC] = [0, 3];
const answerOf = (name: string, errorCode: number) =>
  ({ name, errorCode, partitions: [{ partitionIndex: 0, leaderId: 1 }] }) as unknown as TopicMetadata;

test("a topic that is not found keeps no other waiting, also of the same request", async () => {
  const asked: string[][] = [];
  const metadata = async (names: string[]) => {
    asked.push(names);
    return names.map((name) => answerOf(name, name === "gone" ? UNKNOWN_TOPIC : OK));
  };
  const topics = new Topics({ metadata } as unknown as Cluster, 60_000);
  const all = topics.resolve(["gone", "orders"]);
  await topics.resolve(["orders"]);
  expect([asked, topics.get("orders")?.failure, topics.get("gone")]).toEqual([[["gone", "orders"]], null, undefined]);
  await all;
  expect(topics.get("gone")?.failure?.code).toBe("unroutable");
});

test("who waits for several topics learns that no broker answers, and asks again", async () => {
  let alive = false;
  const metadata = async (names: string[]) => {
    if (!alive) throw new Error("no broker");
    return names.map((name) => answerOf(name, OK));
  };
  const topics = new Topics({ metadata } as unknown as Cluster, 60_000);
  await expect(topics.resolve(["a", "b"])).rejects.toThrow("no broker");
  alive = true;
  await topics.resolve(["a", "b"]);
  expect(topics.get("b")?.failure).toBeNull();
});
