import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";

export interface Cancelled {
  /** Indexes of the writes whose condition does not hold. */
  failed: number[];
  /** Indexes of the writes after which the item would be larger than DynamoDB takes. */
  tooLarge: number[];
  /** Another transaction was changing one of the items. */
  conflict: boolean;
}

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
  };
}
