import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { ColumnRole, MappedColumn, OutboxMapping } from "../../stores/port/mapping.ts";
import type { ClaimRule } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import type { MappingOverrides } from "../overrides.ts";
import { wordsOf } from "../words/name-words.ts";

type Columns = Partial<Record<ColumnRole, MappedColumn>>;

/**
 * The error column of a table whose publisher may count an attempt when it begins, and hide the row by its due time
 * meanwhile: the first attempt, without an error, is not known to have failed. None where the count's name speaks of
 * failures or repeats (`retry_count`, `failed_count`), and with our own relay, which counts failures.
 */
export function errorOfFirst(
  table: CatalogTable,
  { attempts, availableAt, lastError }: Columns,
  { ownRelay }: Pick<MappingOverrides, "ownRelay">,
): Pick<OutboxMapping, "errorOfFirst"> {
  if (!attempts || !availableAt || !lastError || ownRelay) return {};
  const words = wordsOf(plainName(table, attempts.name));
  return words.some(({ text }) => AFTER_FAILURE.test(text)) ? {} : { errorOfFirst: lastError };
}

/** Words for another attempt, and for a failure. */
const AFTER_FAILURE =
  /^(retr|rtry|rty$|redeliver|reintent|wiederhol|ponown|fail|fehl|err|fall|falh|echec|echoue|nack|bounc|crash|mislukt|gescheitert)/;

/**
 * `receive_count` beside `visible_at`: a queue counts who received a row and hides it until a time. A row with an error
 * waits for its next attempt, and one that is visible again is free.
 */
export function receivedClaim(table: CatalogTable, columns: Columns): ClaimRule<MappedColumn> | null {
  const { attempts, availableAt, lastError } = columns;
  if (!attempts || !availableAt || availableAt.generated) return null;
  const isOfReceipts = wordsOf(plainName(table, attempts.name)).some(({ concepts }) => concepts.includes("received"));
  if (!isOfReceipts) return null;
  const received = { column: attempts, atLeast: 1 };
  const marked = lastError ? { all: [received, { not: { column: lastError, is: "filled" as const } }] } : received;
  return { marked, ends: { column: availableAt, lapses: true } };
}

/** Sentence, behind a space. */
export function firstAttemptText(
  { attempts }: Columns,
  { errorOfFirst: error }: Pick<OutboxMapping, "errorOfFirst">,
): string {
  return error && attempts ? ` Not failed when ${attempts.name} is 1 and ${error.name} is empty.` : "";
}
