import { describe, expect, test } from "vitest";
import { judgeMessages, judgeRows, type LookedUp } from "./judge.ts";

const AS_OF = "2026-11-21T12:00:00.000Z";
const ago = (seconds: number) => new Date(Date.parse(AS_OF) - seconds * 1000).toISOString();
const message = (change: Partial<LookedUp> = {}): LookedUp => ({
  ...{ id: "1", eventId: "1", eventType: "order.placed", createdAt: ago(600), publishedAt: ago(600) },
  ...{ seenAs: "absent", firstMissedAt: AS_OF, lastMissedAt: AS_OF, seenBefore: false },
  ...change,
});
const judge = (messages: LookedUp[], keptSince: string | null = ago(86_400), keepsProcessed = true) =>
  judgeMessages({ messages, withinSeconds: 300, keptSince, keepsProcessed, asOf: AS_OF });

describe("a published message", () => {
  test("that the inbox does not have is not processed, once its limit has passed", () => {
    expect(judge([message()])).toMatchObject({ notProcessed: [{ id: "1", publishedSeconds: 600 }], unknown: 0 });
    expect(judge([message({ publishedAt: ago(299) })])).toMatchObject({ notProcessed: [], recent: 1 });
  });

  test.each(["unprocessed", "failed"] as const)("that is %s in the inbox is not processed", (seenAs) => {
    expect(judge([message({ seenAs })], null).notProcessed).toHaveLength(1);
  });

  test.each(["processed", "received"] as const)("that is %s counts as processed", (seenAs) => {
    expect(judge([message({ seenAs })], null)).toMatchObject({ processed: 1, notProcessed: [] });
  });

  test("older than the rows that the inbox keeps is not known to be missing", () => {
    expect(judge([message()], ago(500))).toMatchObject({ notProcessed: [], unknown: 1 });
    expect(judge([message()], ago(630)), "clocks may differ").toMatchObject({ notProcessed: [], unknown: 1 });
    expect(judge([message()], null)).toMatchObject({ notProcessed: [], unknown: 1 });
  });

  test("that was missed while it was young is missing, whatever the inbox keeps", () => {
    expect(judge([message({ firstMissedAt: ago(590) })], null).notProcessed).toHaveLength(1);
  });

  test("that was missed while it was young is not known to be missing if rows go sooner than checks come", () => {
    const missed = message({ firstMissedAt: ago(590), lastMissedAt: ago(150) });
    expect(judge([missed], ago(20))).toMatchObject({ notProcessed: [], unknown: 1 });
    expect(judge([missed], ago(300)).notProcessed).toHaveLength(1);
  });

  test("whose row was seen and is gone, or may go once it is processed, is not known to be missing", () => {
    expect(judge([message({ seenBefore: true, firstMissedAt: ago(590) })])).toMatchObject({ unknown: 1 });
    expect(judge([message({ firstMissedAt: ago(590) })], ago(86_400), false)).toMatchObject({ unknown: 1 });
  });

  test("without a time of publication is as old as the check that first missed it", () => {
    const untold = { publishedAt: null, createdAt: ago(86_000) };
    expect(judge([message({ ...untold, firstMissedAt: ago(200) })], ago(90_000))).toMatchObject({ recent: 1 });
    expect(judge([message({ ...untold, firstMissedAt: ago(400) })], ago(90_000)).notProcessed).toHaveLength(1);
  });
});

describe("a row of an inbox", () => {
  const row = { id: "r", messageId: "7", at: ago(100), known: false };

  test("without a message is unmatched only while its message would still be there", () => {
    expect(judgeRows([row], ago(600))).toEqual({ known: 0, unmatched: [row], unknown: 0 });
    expect(judgeRows([row], ago(120))).toMatchObject({ unmatched: [], unknown: 1 });
    expect(judgeRows([row], null)).toMatchObject({ unmatched: [], unknown: 1 });
    expect(judgeRows([{ ...row, at: null }], ago(600))).toMatchObject({ unmatched: [], unknown: 1 });
  });

  test("with a message is known", () => {
    expect(judgeRows([{ ...row, known: true }], null)).toEqual({ known: 1, unmatched: [], unknown: 0 });
  });
});
