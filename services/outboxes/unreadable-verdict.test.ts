import { expect, test } from "vitest";
import { StoreError, type StoreTrouble } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { type OutboxStop, partsOf, partsOfError, requireReadable } from "../stores/outbox-stop.ts";
import { publishesNothing, unreadableVerdict } from "./unreadable-verdict.ts";

const failed = (trouble: StoreTrouble) => new StoreError(trouble, "unavailable", "The store says why.", {});

test.each([
  ["no connection is left, or the password is refused", failed("refused"), "unknown"],
  ["a table of ours is locked that a relay goes on without", failed("locked"), "unknown"],
  ["the database does not answer", failed("unreachable"), "not_delivering"],
  ["the table is gone", failed("missing"), "not_delivering"],
  ["our user may not connect any more", failed("forbidden"), "unknown"],
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

test("the cause of an outbox that stopped is what is wrong, as in health, and the evidence what to do about it", () => {
  const problem = "Outbox orders no longer fits the mapping that was accepted: seq of public.outbox is gone.";
  const remedy = "Check what the table means now.";
  const stop: OutboxStop = { code: "mapping_changed", message: problem, remedy, severity: "fail" };
  const thrown = (() => {
    try {
      return requireReadable(stop);
    } catch (error) {
      return error as AppError;
    }
  })();
  expect(thrown?.message).toBe(`${problem} ${remedy}`);
  const parts = partsOfError(thrown ?? new AppError("internal", ""));
  expect(parts).toEqual(partsOf(stop));
  const verdict = unreadableVerdict({
    outbox: "orders",
    publishesNothing: true,
    ...parts,
    status: "fail",
    since: null,
  });
  expect(verdict).toMatchObject({ cause: problem.slice(0, -1), evidence: remedy });
});
