import { expect, test } from "vitest";
import {
  CORRECT,
  CORRECTED_COPY,
  changedNumber,
  copyIdOf,
  detailOfCopy,
  detailOfOriginal,
  isJson,
  originalIdOf,
} from "./correction.ts";

const CORRECTED = {
  originalId: "~WyJhIl0",
  copyId: "018f-9a41",
  originalHash: "aa",
  copyHash: "bb",
  headersChanged: true,
};

test("the audit's details name the other message, so that each can be found from the other", () => {
  const original = { action: CORRECT, detail: detailOfOriginal(CORRECTED, "It is dead.") };
  const copy = { action: CORRECTED_COPY, detail: detailOfCopy(CORRECTED) };
  expect(copyIdOf([{ action: "message.retry", detail: null }, original])).toBe("018f-9a41");
  expect(originalIdOf([copy])).toBe("~WyJhIl0");
  expect([copyIdOf([copy]), originalIdOf([original]), copyIdOf([])]).toEqual([null, null, null]);
  expect(original.detail).toContain("sha256 aa; of the copy bb. The headers were changed too.");
});

test("numbers are compared as they are written, and digits inside strings are none", () => {
  const typed = '{"id": 12345678901234567890, "total": 1.10, "note": "1.1 and \\"2\\"", "rate": 1.0e-8}';
  expect(changedNumber(typed, typed.replaceAll(" ", ""))).toBeNull();
  expect(changedNumber(typed, typed.replace("1.10", "1.1"))).toBe("1.10");
  expect(changedNumber(typed, typed.replace("12345678901234567890", "12345678901234567000"))).toBe(
    "12345678901234567890",
  );
  expect(changedNumber('{"a": 1, "a": 2}', '{"a": 2}')).toBe("1");
});

test("JSON is recognised as it is typed", () => {
  expect([isJson('{"a": 1.10}'), isJson("{a: 1}"), isJson("")]).toEqual([true, false, false]);
});
