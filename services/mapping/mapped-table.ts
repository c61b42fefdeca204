import type { Candidate } from "#db/shapes/candidates.ts";
import { AppError } from "#domain/errors.ts";
import type { MappedTable, Runtime } from "../runtime.ts";

/** An outbox by its name, or a table that may be one by its place. */
export type MappingSubject = { outbox: string } | { store: string; table: string };

/** Also finds an outbox whose table cannot be mapped as it is configured. Throws: not_found, unavailable. */
export async function findMappedTable(
  runtime: Runtime,
  subject: MappingSubject,
): Promise<MappedTable & Partial<Candidate>> {
  const { unmapped, candidates } = await runtime.tables();
  if ("outbox" in subject)
    return unmapped.find(({ name }) => name === subject.outbox) ?? runtime.outbox(subject.outbox);
  const found = candidates.find(
    ({ store, table }) => store.name === subject.store && `${table.schema}.${table.name}` === subject.table,
  );
  if (found) return found;
  throw new AppError(
    "not_found",
    `The table ${subject.table} of store ${subject.store} is not among those that may be an outbox.`,
  );
}
