import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";

export interface Cancelled {
  /** Indexes of the writes whose condition does not hold. */
  failed: number[];
  /** Indexes of the writes after which the item would be larger than DynamoDB takes. */
  tooLarge: number[];
  /** Another transaction was changing one of the items. */
  conflict: boolean;
  /** The code by which DynamoDB says that a table or an index gets more requests than it takes; null if it does not. */
  throttled: string | null;
}

const THROTTLED = ["ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"];

/** Why a transaction was refused; null for any other error. */
export function cancelledBy(error: unknown): Cancelled | null {
  if (!(error instanceof TransactionCanceledException)) return null;
  const reasons = error.CancellationReasons ?? [];
  const codes = reasons.map(({ Code: code }) => code);
  const isSize = /item size/i;
  return {
    failed: codes.flatMap((code, place) => (code === "ConditionalCheckFailed" ? [place] : [])),
    tooLarge: reasons.flatMap(({ Code: code, Message: message }, place) =>
      code === "ValidationError" && isSize.test(message ?? "") ? [place] : [],
    ),
    conflict: codes.includes("TransactionConflict"),
    throttled: codes.find((code) => code !== undefined && THROTTLED.includes(code)) ?? null,
  };
}
