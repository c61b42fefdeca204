import { expect, test } from "vitest";
import type { Session } from "#contracts/access/session.ts";
import type { GroupMemory } from "#contracts/message/groups.ts";
import { actRefusal, whoIsOnIt } from "./group-memory-panel.tsx";

const claimed = (by: string | null) =>
  ({ problem: null, mark: { claim: by === null ? null : { by, since: "2026-11-30T15:00:00Z" } } }) as GroupMemory;

test("nobody is said to be on it before that was read", () => {
  expect(whoIsOnIt(undefined, "olga")).toBe("Who is on it");
  const unread = { problem: "The console's database does not answer.", mark: null };
  expect(whoIsOnIt(unread, "olga")).toBe("Who is on it");
  expect(whoIsOnIt(claimed(null), "olga")).toBe("Nobody is on it");
  expect(whoIsOnIt(claimed("vera"), "olga")).toBe("vera is on it");
  expect(whoIsOnIt(claimed("olga"), "olga")).toBe("You are on it");
});

test("whoever is signed in is not told to sign in while that has not been read", () => {
  const memory = claimed(null);
  expect(actRefusal(undefined, memory, "orders")).toBe("Who you are has not been read.");
  const session = (actor: unknown) => ({ actor, readOnly: false }) as Session;
  expect(actRefusal(session(null), memory, "orders")).toBe("Sign in to say who is on it.");
  expect(actRefusal(session({ name: "olga", role: "operator" }), memory, "orders")).toBeUndefined();
  expect(actRefusal(session({ name: "olga", role: "operator" }), undefined, "orders")).toMatch(/not been read/);
});
