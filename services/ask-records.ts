import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { Runtime } from "./runtime.ts";

/** Sentences for a console without a database, and for a database without the table. */
interface Missing {
  noDatabase: string;
  notMigrated: string;
}

/** `what` names the records in both sentences, for `askRecords` and for a list that shows why it is empty. */
export function missingRecords(what: string, tables: "table" | "tables" = "table"): Missing {
  return {
    noDatabase: `There is no console database to keep ${what} in: set console.databaseUrl in outbox.yaml.`,
    notMigrated: `The console's database has no ${tables} of this version for ${what}: run ${ourCommand("migrate")}.`,
  };
}

/** Asks the console's own database. Throws: wrong_state (no database, or not migrated), unavailable. */
export async function askRecords<Answer>(
  { records, consoleGuard }: Runtime,
  { noDatabase, notMigrated }: Missing,
  work: (records: Records) => Promise<Answer>,
): Promise<Answer> {
  if (!records || !consoleGuard) throw new AppError("wrong_state", noDatabase);
  try {
    return await consoleGuard.ask(() => work(records));
  } catch (error) {
    throw troubleOf(error) === "missing" ? new AppError("wrong_state", notMigrated, { cause: error }) : error;
  }
}
