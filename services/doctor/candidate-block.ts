import { stringify } from "yaml";
import type { Candidate } from "#db/shapes/candidates.ts";

/** Evidence for a candidate, and the lines for outbox.yaml that make it an outbox once a person has completed them. */
export function candidateBlock({ table, columns, evidence, store }: Candidate & { store: string }): string {
  const { order: _, ...named } = columns;
  const wanted = { id: "…", payload: "…", ...named };
  const outbox = { store, table: `${table.schema}.${table.name}`, columns: wanted };
  const block = stringify({ outboxes: { [table.name]: outbox } }, { lineWidth: 0 }).trimEnd();
  return `${evidence.join(" ")}\nIf it is an outbox, complete this and paste it into outbox.yaml; otherwise leave it out:\n${block}`;
}

type StoreTable = Pick<Candidate, "table"> & { store: string };

/** Advice for a table that may be an inbox. */
export function inboxBlock(table: StoreTable): string {
  return `If it is an inbox, paste this into outbox.yaml; otherwise leave it out:\n${inboxLines(table)}`;
}

/** The lines for outbox.yaml that make a table an inbox. */
export function inboxLines({ table, store }: StoreTable): string {
  return stringify({ inboxes: { [table.name]: { store, table: `${table.schema}.${table.name}` } } }).trimEnd();
}
