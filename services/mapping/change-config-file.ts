import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError, ConfigError } from "#domain/errors.ts";
import type { ConfigFile } from "../config/config-file.ts";

interface Place {
  file: ConfigFile;
  records: Pick<Records, "recordAct">;
  /** The text to begin with where there is no file. */
  fresh: () => string;
}

/**
 * Changes the file and writes the audit row. The row commits only if the file was replaced; if the row does not commit,
 * the old text is put back. Throws what `edit` throws; wrong_state; conflict; unavailable if it is not known whether
 * the row was committed: the file then keeps the change.
 */
export function changeConfigFile(
  { file, records, fresh }: Place,
  edit: (text: string) => string,
  audit: Parameters<Records["recordAct"]>[0],
): Promise<void> {
  return file.inTurn(async () => {
    const before = file.read();
    const text = checked(file, () => edit(before ?? fresh()));
    let replaced = false;
    try {
      await records.recordAct(audit, async () => {
        await file.replace(before, text);
        replaced = true;
      });
    } catch (error) {
      if (!replaced) throw error;
      if (troubleOf(error) === "commit_in_doubt")
        throw new AppError(
          "unavailable",
          `${file.name} is saved, but the database did not say whether the audit has recorded it.`,
          { cause: error },
        );
      await file.restore(before, text);
      throw error;
    }
  });
}

/** The edited text, as the console would read it. */
function checked(file: ConfigFile, edit: () => string): string {
  try {
    const text = edit();
    file.parse(text);
    return text;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new AppError("wrong_state", `${file.name} is not valid as it is, so nothing was saved: ${error.message}`);
  }
}
