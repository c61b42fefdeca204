import { describe, expect, it } from "vitest";
import { sampleMessage } from "#components/messages/table/sample-message.fixture.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import { type ReadList, readTail, TAIL_PAGE } from "./read-tail.ts";

const instant = (n: number) => new Date(Date.parse("2026-11-21T03:00:00Z") + n).toISOString();
const made = (n: number) => sampleMessage({ id: `m-${n}`, createdAt: instant(n) });
const knownOf = (...messages: MessageSummary[]) => new Map(messages.map((message) => [message.id, message]));

/** A list of messages, oldest first, as the API reads it. */
function listOf(messages: readonly MessageSummary[], counts: "exact" | "capped" = "exact"): ReadList {
  const newestFirst = [...messages].reverse();
  return async ({ cursor, from, to, limit }) => {
    const within = newestFirst.filter(
      ({ createdAt }) =>
        (from === undefined || (createdAt ?? "") >= from) && (to === undefined || (createdAt ?? "") < to),
    );
    const start = Number(cursor ?? 0);
    const next = start + limit;
    return {
      messages: within.slice(start, next),
      nextCursor: next < within.length ? String(next) : null,
      asOf: instant(0),
      matching: { value: within.length, precision: counts },
      recordedOnly: { value: 0, precision: "exact" as const },
      partial: null,
      unread: null,
    };
  };
}
const numbered = (count: number) => Array.from({ length: count }, (_, n) => made(n));

describe("a reading of the tail", () => {
  it("takes one page the first time, and goes back to what is known later", async () => {
    const all = numbered(900);
    expect((await readTail(listOf(all), new Map())).messages).toHaveLength(TAIL_PAGE);
    const { messages, gap } = await readTail(listOf(all), knownOf(made(600)));
    expect(messages).toHaveLength(2 * TAIL_PAGE);
    expect(gap).toBeNull();
  });

  it("counts what came too fast to be shown, to the last one", async () => {
    const { messages, gap } = await readTail(listOf(numbered(2_000)), knownOf(made(10), made(9)));
    expect(messages.length + (gap?.skipped ?? 0)).toBe(2_000 - 11);
    expect(gap?.skipped).toBe(2_000 - 11 - 399);
  });

  it("counts right when many messages have one instant", async () => {
    const ties = numbered(2_000).map((message, n) => ({ ...message, createdAt: instant(Math.floor(n / 50)) }));
    const { messages, gap } = await readTail(listOf(ties), knownOf(...ties.slice(0, 7)));
    expect(messages.length + (gap?.skipped ?? 0)).toBe(2_000 - 7);
  });

  it("does not guess a number that is not counted", async () => {
    const { gap } = await readTail(listOf(numbered(2_000), "capped"), knownOf(made(10)));
    expect(gap).toMatchObject({ skipped: null, from: instant(10) });
  });

  it("has no gap where known messages were deleted after publishing", async () => {
    const left = numbered(2_000).slice(500);
    const { gap, messages } = await readTail(listOf(left.slice(-300)), knownOf(made(10)));
    expect(gap).toBeNull();
    expect(messages).toHaveLength(300);
  });
});
