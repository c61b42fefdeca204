import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { wordsOf } from "../words/name-words.ts";
import type { Columns } from "./row-marks.ts";
import type { Doubt } from "./sent-again.ts";

/** True if the name of a published mark says that the row was processed, however that ended. */
const saysProcessed = ({ name }: Pick<MappedColumn, "name">): boolean =>
  wordsOf(name).some(({ concepts }) => concepts.includes("processed"));

/** `last_error` is of the last attempt that failed; `error` and `failure_reason` may be why the row was given up. */
const saysLast = ({ name }: Pick<MappedColumn, "name">): boolean =>
  wordsOf(name).some(({ concepts }) => concepts.includes("last"));

/**
 * An error in a row that is marked processed: nothing shows whether the last attempt failed, unless an attempt that
 * failed was counted before. Null where the mark says that the row was sent. `ownRelay`: our relay counts every attempt
 * that fails, and marks no row that failed.
 */
export function leftError(mark: MappedColumn, { attempts, lastError }: Columns, ownRelay: boolean): Doubt | null {
  if (!lastError || !saysProcessed(mark) || (ownRelay && (attempts || !mark.time))) return null;
  const filled: Condition<MappedColumn> = { column: lastError, is: "filled" };
  if (!attempts || !saysLast(lastError))
    return { column: lastError, holds: filled, says: `${lastError.name} has a text` };
  const holds = { all: [filled, { not: { column: attempts, atLeast: 1 } }] };
  return { column: lastError, holds, says: `${lastError.name} has a text and ${attempts.name} is 0` };
}
