import { describe, expect, test } from "vitest";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { failedMeaning } from "./failed-meaning.ts";

const database = testDatabase("empty");
const BASE =
  "id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL";
const COUNTED = "attempts int NOT NULL DEFAULT 0, next_attempt_at timestamptz, last_error text";
const words = (...list: string[]) =>
  `status text NOT NULL DEFAULT 'NEW' CHECK (status IN (${list.map((word) => `'${word}'`).join(", ")}))`;

async function meaningOf(columns: string) {
  await database().pool.query(
    `DROP TABLE IF EXISTS order_outbox; CREATE TABLE order_outbox (${BASE}, ${columns}); INSERT INTO order_outbox (event_type, payload, created_at) VALUES ('order.paid', '{}', now())`,
  );
  const runtime = openTestRuntime(database().url);
  try {
    const [handle] = (await runtime.tables()).outboxes;
    if (!handle) throw new Error("no outbox was found");
    return failedMeaning(handle);
  } finally {
    await runtime.close();
  }
}

describe("whether a failed message is tried again", () => {
  test.each([
    ["a word for failed, and none for given up", `${words("NEW", "SENT", "FAILED")}, ${COUNTED}`],
    [
      "a flag for failed beside the published time",
      `published_at timestamptz, failed boolean DEFAULT false, ${COUNTED}`,
    ],
    ["a time of failure beside the published time", "published_at timestamptz, failed_at timestamptz"],
    ["an error alone", "published_at timestamptz, last_error text"],
  ])("is not known: %s", async (_, columns) => {
    expect(await meaningOf(columns)).toBe("unknown");
  });

  test.each([
    ["only a count of attempts", `published_at timestamptz, ${COUNTED}`],
    ["words for failed and for given up", `${words("NEW", "SENT", "FAILED", "DEAD")}, ${COUNTED}`],
    ["a word that says it", `${words("NEW", "SENT", "RETRY")}, ${COUNTED}`],
    ["no word for failed, and a count", `${words("NEW", "SENT")}, ${COUNTED}`],
    [
      "flags for failed and for given up",
      `published_at timestamptz, failed boolean DEFAULT false, dead boolean DEFAULT false, ${COUNTED}`,
    ],
    [
      "a count that begins with 1",
      "published_at timestamptz, attempt int NOT NULL DEFAULT 1, next_attempt_at timestamptz",
    ],
  ])("is known: %s", async (_, columns) => {
    expect(await meaningOf(columns)).toBe("retried");
  });
});
