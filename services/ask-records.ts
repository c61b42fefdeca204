import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime } from "./runtime.ts";

/** Sentences for a console without a database, and for a database without the table. */
interface Missing {
  noDatabase: string;
  notMigrated: string;
}

/** Asks the console's own database. Throws: wrong_state (no database, or not migrated), unavailable. */
export async function askRecords<Answer>(
  { records, consoleLine }: Runtime,
  { noDatabase, notMigrated }: Missing,
  work: (records: Records) => Promise<Answer>,
): Promise<Answer> {
  if (!records || !consoleLine) throw new AppError("wrong_state", noDatabase);
  try {
    return await consoleLine.ask(() => work(records));
  } catch (error) {
    throw troubleOf(error) === "missing" ? new AppError("wrong_state", notMigrated, { cause: error }) : error;
  }
}
