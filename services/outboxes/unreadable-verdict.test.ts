import { expect, test } from "vitest";
import { StoreError, type StoreTrouble } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { publishesNothing, unreadableVerdict } from "./unreadable-verdict.ts";

const failed = (trouble: StoreTrouble) => new StoreError(trouble, "unavailable", "The store says why.", {});

test.each([
  ["no connection is left, or the password is refused", failed("refused"), "unknown"],
  ["a table of ours is locked that a relay goes on without", failed("locked"), "unknown"],
  ["the database does not answer", failed("unreachable"), "not_delivering"],
  ["the table is gone", failed("missing"), "not_delivering"],
  ["a right is missing", new AppError("forbidden", "No."), "unknown"],
] as const)("%s", (_, error, word) => {
  const verdict = unreadableVerdict({
    outbox: "orders",
    publishesNothing: publishesNothing(error, "relay"),
    problem: error.message,
    status: "fail",
    since: null,
  });
  expect(verdict).toMatchObject({ word, status: "fail" });
  expect(publishesNothing(error, "observe")).toBe(false);
});
