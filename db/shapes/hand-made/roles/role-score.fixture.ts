import type { CatalogTable } from "../../../stores/port/catalog.ts";
import { recogniseInbox } from "../../inbox/recognise-inbox.ts";
import { looksLikeOutbox, recogniseOutbox } from "../../recognise.ts";
import type { HandMadeTable } from "./hand-made-table.ts";

export interface Score {
  roles: number;
  fields: { right: number; left: number; wrong: string[] };
  /** Sentence a table, for what is not as the truth has it. */
  differences: string[];
}

/** Column by role as the recogniser has it; null if it takes the table for something else. */
function rolesFound(truth: HandMadeTable, table: CatalogTable): Record<string, string> | null {
  const inbox = recogniseInbox(table);
  if (truth.is === "inbox") {
    const columns = Object.entries(inbox ?? {}).flatMap(([role, value]) =>
      value !== null && typeof value === "object" && "from" in value ? [[role, String(value.name)] as const] : [],
    );
    const mark = inbox && (inbox.mark.kind === "flag" || inbox.mark.kind === "status") ? inbox.mark : null;
    const byMark = mark ? { [mark.kind === "flag" ? "processed" : "status"]: mark.column.name } : {};
    return inbox ? { ...Object.fromEntries(columns), ...byMark } : null;
  }
  if (inbox || !looksLikeOutbox(table)) return null;
  const found = recogniseOutbox(table, [table]);
  if ("problem" in found) return null;
  return Object.fromEntries(Object.entries(found.mapping.columns).map(([role, { name }]) => [role, name]));
}

export function scoreOf(pairs: readonly { truth: HandMadeTable; table: CatalogTable }[]): Score {
  const score: Score = { roles: 0, fields: { right: 0, left: 0, wrong: [] }, differences: [] };
  for (const { truth, table } of pairs) {
    const found = rolesFound(truth, table);
    const wanted = Object.entries(truth.roles);
    if (found) score.roles += 1;
    const right = wanted.filter(([role, column]) => found?.[role] === column);
    const wrong = wanted.filter(([role, column]) => found?.[role] !== undefined && found[role] !== column);
    const extra = Object.entries(found ?? {}).filter(
      ([role, column]) =>
        truth.roles[role] === undefined && Object.values(truth.roles).includes(column) && !isBoth(role, column, truth),
    );
    const left = wanted.length - right.length - wrong.length;
    score.fields.right += right.length;
    score.fields.left += left;
    score.fields.wrong.push(
      ...[...wrong.map(([role]) => role), ...extra.map(([role]) => role)].map(
        (role) => `${table.name}.${role} is ${found?.[role]}`,
      ),
    );
    if (right.length < wanted.length || extra.length > 0) {
      score.differences.push(
        `${table.name} ${found ? "" : "NOT RECOGNISED "}${wanted
          .filter(([role, column]) => found?.[role] !== column)
          .map(([role, column]) => `${role}: ${column}, not ${found?.[role] ?? "left out"}`)
          .join("; ")}${extra.map(([role, column]) => `; ${role} is ${column}`).join("")}`,
      );
    }
  }
  return score;
}

/** A numbered id is also the order; a topic stands for the type where there is none. */
function isBoth(role: string, column: string, truth: HandMadeTable): boolean {
  return (role === "order" && truth.roles.id === column) || (role === "topic" && truth.roles.eventType === column);
}
