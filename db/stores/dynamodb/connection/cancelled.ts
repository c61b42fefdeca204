import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";

export interface Cancelled {
  /** Indexes of the writes whose condition does not hold. */
  failed: number[];
  /** Another transaction was changing one of the items. */
  conflict: boolean;
}

/** Why a transaction was refused; null for any other error. */
export function cancelledBy(error: unknown): Cancelled | null {
  if (!(error instanceof TransactionCanceledException)) return null;
  const codes = (error.CancellationReasons ?? []).map(({ Code: code }) => code);
  return {
    failed: codes.flatMap((code, place) => (code === "ConditionalCheckFailed" ? [place] : [])),
    conflict: codes.includes("TransactionConflict"),
  };
}
