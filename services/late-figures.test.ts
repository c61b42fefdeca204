import { expect, test } from "vitest";
import { AppError } from "#domain/errors.ts";
import { lateSentence } from "./late-figures.ts";

const slow = new AppError("query_timeout", "The database of store shop answers, but too slowly to read the figures.", {
  details: { answers: true },
});

test("figures of the last minute may be shown with their age while the database answers too slowly", () => {
  expect(lateSentence(slow, performance.now() - 12_000)).toBe(`${slow.message} These are from 12 s ago.`);
  expect(lateSentence(slow, performance.now() - 61_000)).toBeNull();
  expect(lateSentence(slow, undefined)).toBeNull();
});

test("no old figures stand for a database that does not answer, or for a table that cannot be read", () => {
  const now = performance.now();
  expect(lateSentence(new AppError("unavailable", "It does not answer."), now)).toBeNull();
  expect(lateSentence(new AppError("query_timeout", "It has not answered in time."), now)).toBeNull();
  expect(lateSentence(new Error("permission denied"), now)).toBeNull();
});
