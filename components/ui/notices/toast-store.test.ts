import { afterEach, expect, test } from "vitest";
import { tellRefusal, toast } from "./toast.ts";
import { toastStore } from "./toast-store.ts";

const messages = () => toastStore.read().map(({ message }) => message);

afterEach(() => {
  for (const { id } of toastStore.read()) toastStore.remove(id);
});

test("the same text again replaces the earlier toast, and is announced anew", () => {
  toast.warn({ message: "The worker is gone." });
  const before = toastStore.read()[0]?.id;
  toast.warn({ message: "The worker is gone." });
  expect(messages()).toEqual(["The worker is gone."]);
  expect(toastStore.read()[0]?.id).not.toBe(before);
});

test("three toasts are shown at most, the newest", () => {
  for (const message of ["a", "b", "c", "d"]) toast.done({ message });
  expect(messages()).toEqual(["b", "c", "d"]);
});

test("a refusal is said, and nothing is said where there is none", () => {
  expect(tellRefusal(undefined)).toBe(false);
  expect(messages()).toEqual([]);
  expect(tellRefusal("Your role is viewer; this needs operator.")).toBe(true);
  expect(toastStore.read()).toMatchObject([{ message: "Your role is viewer; this needs operator.", tone: "refused" }]);
});

test("a refusal replaces the one before, and nothing else", () => {
  toast.done({ message: "2 archived." });
  tellRefusal("Select or open a message first.");
  tellRefusal("It is already dead.");
  expect(messages()).toEqual(["2 archived.", "It is already dead."]);
});
