import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACTION_ROLES, hasRole, ROLES } from "../operator.ts";
import {
  canPerform,
  MESSAGE_ACTIONS,
  MESSAGE_STATES,
  type MessageState,
  refusalReason,
  TRANSITIONS,
  transitionFor,
} from "./message-state.ts";

const DOCUMENT = readFileSync(new URL("../../docs/state-machine.md", import.meta.url), "utf8");

/** Cells of the rows of the table under a heading that contains `header`. */
function tableOf(header: string): string[][] {
  const lines = DOCUMENT.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${header}`));
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    rows.push(
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
  }
  return rows;
}

describe("docs/state-machine.md and the code say the same", () => {
  test("states, in the order of precedence", () => {
    expect(tableOf("state").map(([state]) => state)).toEqual([...MESSAGE_STATES]);
  });

  test("transitions, with the least role", () => {
    const documented = tableOf("action").map(([action, from, to, role]) => ({
      action,
      from: from?.split(", "),
      to,
      role,
    }));
    expect(documented).toEqual(
      TRANSITIONS.map(({ action, from, to }) => ({ action, from: [...from], to, role: ACTION_ROLES[action] })),
    );
  });

  test("the diagram", () => {
    const drawn = [...DOCUMENT.matchAll(/^ {2}(\w+) --> (\w+): ([\w-]+)$/gm)].map(
      ([, from, to, action]) => `${action}: ${from} -> ${to}`,
    );
    const declared = TRANSITIONS.flatMap(({ action, from, to }) => from.map((state) => `${action}: ${state} -> ${to}`));
    expect(drawn).toEqual(declared);
  });
});

const unclaimed = (state: MessageState) => ({ state, claimExpired: false, claimUndated: false });

describe("what may be done", () => {
  test("a retry takes back an expired claim, and nothing else does", () => {
    const claimed = { ...unclaimed("pending"), claimExpired: true };
    expect(MESSAGE_ACTIONS.filter((action) => canPerform(action, claimed))).toEqual(["retry", "dead-letter"]);
    expect(refusalReason("retry", claimed)).toBeUndefined();
    expect(canPerform("retry", unclaimed("pending"))).toBe(false);
  });

  test("is what the transitions declare, and never to a live claim", () => {
    for (const action of MESSAGE_ACTIONS)
      for (const state of MESSAGE_STATES)
        expect(canPerform(action, unclaimed(state)), `${action} ${state}`).toBe(
          state !== "in_flight" && transitionFor(action).from.includes(state),
        );
  });

  test("and every refusal is a sentence", () => {
    for (const action of MESSAGE_ACTIONS)
      for (const state of MESSAGE_STATES) {
        const reason = refusalReason(action, unclaimed(state));
        if (canPerform(action, unclaimed(state))) expect(reason).toBeUndefined();
        else expect(reason, `${action} ${state}`).toMatch(/^[A-Z].{10,}\.$/);
      }
  });

  test("a role includes the ones below it", () => {
    const allowed = ROLES.map((role) => ROLES.filter((least) => hasRole({ name: "x", role }, least)));
    expect(allowed).toEqual([["viewer"], ["viewer", "operator"], ["viewer", "operator", "admin"]]);
  });
});
