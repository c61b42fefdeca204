import { type Grants, highestRole, type Role } from "./operator.ts";

/**
 * Whoever has `value` among their groups has the role, everywhere or in the named outboxes. `*` stands for any text.
 */
export interface RoleRule {
  value: string;
  role: Role;
  outboxes?: readonly string[] | undefined;
}

export interface RoleDecision {
  /** What was found under the claim, in which form. */
  values: readonly string[];
  form: "list" | "text" | "missing" | "other";
  rules: readonly (RoleRule & { matched: boolean })[];
  /** True if no rule matched and the default role holds. */
  byDefault: boolean;
  /** Null: no role. */
  grants: Grants | null;
}

/**
 * The value under a dotted path such as `realm_access.roles`. A claim whose whole name is the path comes first, since
 * names of claims may have dots. Undefined if there is none.
 */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split(".").reduce<unknown>((inner, key) => {
    const record = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
    return Object.hasOwn(record, key) ? record[key] : undefined;
  }, claims);
}

/** Every rule that matches counts; in an outbox the highest role holds. */
export function decideRoles(found: unknown, rules: readonly RoleRule[], fallback: Role | null): RoleDecision {
  const { values, form } = valuesOf(found);
  const judged = rules.map((rule) => ({ ...rule, matched: values.some((value) => matches(rule.value, value)) }));
  const matched = judged.filter((rule) => rule.matched);
  if (matched.length === 0) {
    const grants = fallback === null ? null : { everywhere: fallback, outboxes: {} };
    return { values, form, rules: judged, byDefault: fallback !== null, grants };
  }
  const outboxes = new Map<string, Role>();
  let everywhere: Role | null = null;
  for (const { role, outboxes: named } of matched) {
    if (!named) everywhere = highestRole(everywhere, role);
    for (const outbox of named ?? []) outboxes.set(outbox, highestRole(outboxes.get(outbox) ?? null, role) ?? role);
  }
  return {
    values,
    form,
    rules: judged,
    byDefault: false,
    grants: { everywhere, outboxes: Object.fromEntries(outboxes) },
  };
}

function valuesOf(found: unknown): Pick<RoleDecision, "values" | "form"> {
  if (found === undefined || found === null) return { values: [], form: "missing" };
  if (typeof found === "string") return { values: [found], form: "text" };
  if (!Array.isArray(found)) return { values: [], form: "other" };
  return { values: found.filter((value): value is string => typeof value === "string"), form: "list" };
}

function matches(pattern: string, value: string): boolean {
  const parts = pattern.split("*").map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(value);
}
