import type { MessageState } from "#domain/message/message-state.ts";

/** A table as a team wrote it, with rows whose states are known. */
export interface StatedTable {
  ddl: string;
  /** Column by role. */
  roles: Record<string, string>;
  /** Roles that may be found or left out, as the table does not decide. */
  optional: Record<string, string>;
  insert: string;
  /** States by id, of which each is right. */
  states: Record<string, MessageState[]>;
}

const uuids = (text: string) => text.replaceAll(/\$(\d)/g, "00000000-0000-4000-8000-00000000000$1");

/**
 * `roles`: `role=column`, separated by spaces, with `role?=column` where the table does not decide. `states`: `id
 * state`, separated by commas, with `a|b` where both are right. `$1` is a UUID in `insert` and in `states`.
 */
export function stated(ddl: string, roles: string, insert: string, states: string): StatedTable {
  const pairs = roles.split(" ").map((pair) => pair.split("=") as [string, string]);
  return {
    ddl,
    roles: Object.fromEntries(pairs.filter(([role]) => !role.endsWith("?"))),
    optional: Object.fromEntries(
      pairs.filter(([role]) => role.endsWith("?")).map(([role, column]) => [role.slice(0, -1), column]),
    ),
    insert: uuids(insert),
    states: Object.fromEntries(
      uuids(states)
        .split(", ")
        .map((pair) => pair.split(" ") as [string, string])
        .map(([id, state]) => [id, state.split("|") as MessageState[]]),
    ),
  };
}
