import { errorNumber } from "../connection/database-error.ts";

/** BIGINT UNSIGNED value is out of range. */
const OUT_OF_RANGE = 1690;

/**
 * SELECT list: fails unless the condition holds, and with it every statement after it in the script, COMMIT among them.
 */
export function failUnless(condition: string): string {
  return `18446744073709551615 + IF(${condition}, 0, 1)`;
}

/** True for the error of `failUnless`: nothing behind it was executed. */
export function isFailed(error: unknown): boolean {
  return errorNumber(error) === OUT_OF_RANGE;
}
