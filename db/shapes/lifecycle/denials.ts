import { wordsOf } from "../words/name-words.ts";
import type { PublishedMark } from "./published-mark.ts";
import type { RowMark } from "./row-marks.ts";

/**
 * What a mark says against a row that was published: a flag that it failed, that the receiver refused it, or a later
 * time of failure.
 */
export function denialOf(
  { kind, column, holds, flag, says, counts, failed }: RowMark,
  mark: PublishedMark,
): Pick<RowMark, "holds" | "says"> | null {
  if (flag === true || (kind !== "withdrawn" && "is" in holds && holds.is === "true")) return { holds, says };
  if (kind === "withdrawn") return isRefusal(column.name) || isBareFailure(column) ? { holds, says } : null;
  if (counts || failed || column.time === undefined || mark.kind !== "timestamp") return null;
  const isLater = { column, isAfter: mark.column };
  const isPlainlySet = "is" in holds && holds.is === "set";
  return {
    holds: isPlainlySet ? isLater : { all: [holds, isLater] },
    says: `${column.name} is later than ${mark.column.name}`,
  };
}

/** A time of failure in a form that cannot be compared. */
const isBareFailure = ({ name, time }: RowMark["column"]) =>
  time === undefined && wordsOf(name).some(({ concepts }) => concepts.includes("failed"));

/** By it the receiver has refused the message; what somebody withdrew was withdrawn before it was sent. */
export const isRefusalMark = ({ kind, column }: Pick<RowMark, "kind" | "column">): boolean =>
  kind === "withdrawn" && isRefusal(column.name);

/** The name of what says that the receiver has refused the message or has not got it. */
const isRefusal = (name: string): boolean => wordsOf(name).some(({ text }) => REFUSED.test(text));
const REFUSED =
  /^(rejected|reject|rejection|refused|refusal|undelivered|undispatched|rejete|rejetee|rejet|refuse|refusee|refus|rechazado|rechazada|rechazo|rejeitado|rejeitada|rejeicao|recusado|recusada|rifiutato|rifiuto|respinto|abgelehnt|ablehnung|zurueckgewiesen|afgewezen|afwijzing|geweigerd|odrzucono|odrzucone|odrzucenia)$/;
