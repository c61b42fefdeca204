import { describe, expect, it } from "vitest";
import { sampleMessage } from "#components/messages/table/sample-message.fixture.ts";
import { planAction, scopeReason } from "./plan-action.ts";

const open = { actor: { name: "ana", role: "operator" as const }, outbox: undefined };
const failed = sampleMessage({ id: "f", state: "failed" });
const published = sampleMessage({ id: "p", state: "published" });

describe("the plan of an action", () => {
  it("splits a selection into possible and impossible, with a reason each", () => {
    const plan = planAction("retry", [failed, published], open);
    expect(plan.eligible).toEqual([failed]);
    expect(plan.refused[0]?.reason).toContain("confirmed");
    expect(plan.blocked).toBeUndefined();
  });

  it("is blocked with the state's own reason when no message can take it", () => {
    expect(planAction("archive", [failed], open).blocked).toBe("It is still to be sent: dead-letter it first.");
    expect(planAction("retry", [], open).blocked).toBe("Select or open a message first.");
  });

  it("lets a waiting message be retried only out of a claim that has expired", () => {
    const waiting = sampleMessage({ id: "w", state: "pending" });
    const orphaned = sampleMessage({ id: "o", state: "pending", claimExpired: true });
    const plan = planAction("retry", [waiting, orphaned], open);
    expect(plan.eligible).toEqual([orphaned]);
    expect(plan.refused.map(({ message }) => message.id)).toEqual(["w"]);
  });

  it("is blocked for a viewer and in an outbox that is observed only, before any state", () => {
    expect(scopeReason("retry", { ...open, actor: { name: "vi", role: "viewer" } })).toBe(
      "Your role is viewer; this needs operator.",
    );
    const capabilities = {
      actions: {},
      corrections: { possible: false, reason: null },
      attemptsRecorded: false,
      ordering: { kind: "none" as const, reason: null },
    };
    expect(scopeReason("retry", { ...open, outbox: { mode: "observe", capabilities } })).toContain("observed only");
  });

  it("is blocked while the server does not answer", () => {
    expect(planAction("retry", [failed], { ...open, silent: true }).blocked).toContain("does not answer");
  });

  it("leaves the decision to the server while nothing is known", () => {
    expect(scopeReason("retry", { actor: undefined, outbox: undefined })).toBeUndefined();
  });
});
