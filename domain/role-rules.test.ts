import { expect, test } from "vitest";
import { claimAt, decideRoles } from "./role-rules.ts";

const RULES = [
  { value: "ops-admins", role: "admin" },
  { value: "team-*", role: "viewer" },
  { value: "team-orders", role: "operator", outboxes: ["orders"] },
] as const;

test("a claim is found by its dotted path, and by a name that has dots itself", () => {
  expect(claimAt({ realm_access: { roles: ["a"] } }, "realm_access.roles")).toEqual(["a"]);
  expect(claimAt({ "https://x.example/roles": ["b"] }, "https://x.example/roles")).toEqual(["b"]);
  expect(claimAt({ groups: "a" }, "groups.0.constructor")).toBeUndefined();
  expect(claimAt({}, "__proto__.toString")).toBeUndefined();
});

test("every matching rule counts, and roles by outbox add to those everywhere", () => {
  expect(decideRoles(["team-orders"], RULES, null).grants).toEqual({
    everywhere: "viewer",
    outboxes: { orders: "operator" },
  });
  expect(decideRoles(["team-x", "ops-admins"], RULES, null).grants).toEqual({ everywhere: "admin", outboxes: {} });
});

test("nobody gets a role by accident", () => {
  for (const found of [undefined, null, "", [], {}, 7, ["ops"], ["xops-admins"], "ops-admins,other", [["ops-admins"]]])
    expect(decideRoles(found, RULES, null).grants).toBeNull();
  expect(decideRoles(["other"], RULES, "viewer")).toMatchObject({ byDefault: true, grants: { everywhere: "viewer" } });
});

test("a text is one value, and says so", () => {
  expect(decideRoles("ops-admins", RULES, null)).toMatchObject({ form: "text", grants: { everywhere: "admin" } });
  expect(decideRoles({ a: 1 }, RULES, null).form).toBe("other");
});
