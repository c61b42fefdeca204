import { wordsOf } from "../words/name-words.ts";
import type { PublishedMark } from "./published-mark.ts";
import type { RowMark } from "./row-marks.ts";

/** What a mark says against a row that was published: a flag that it failed, or a later time of failure or refusal. */
export function denialOf(
  { kind, column, holds, flag, says }: RowMark,
  mark: PublishedMark,
): Pick<RowMark, "holds" | "says"> | null {
  if (flag === true || (kind !== "withdrawn" && "is" in holds && holds.is === "true")) return { holds, says };
  if (column.time === undefined || !isPlainlySet(holds)) return null;
  if (kind === "withdrawn") return isRefusal(column.name) ? { holds, says } : null;
  if (mark.kind !== "timestamp" || mark.unset !== undefined) return null;
  return {
    holds: { column, isAfter: mark.column },
    says: `${column.name} is later than ${mark.column.name}`,
  };
}

const isPlainlySet = (holds: RowMark["holds"]) => "is" in holds && holds.is === "set";

/** The name of a time at which the receiver has refused the message, and not somebody withdrawn it before it was sent. */
const isRefusal = (name: string): boolean => wordsOf(name).some(({ text }) => REFUSED.test(text));
const REFUSED =
  /^(rejected|refused|rejete|rejetee|refuse|refusee|rechazado|rechazada|rejeitado|rejeitada|recusado|recusada|rifiutato|respinto|abgelehnt|zurueckgewiesen|afgewezen|geweigerd|odrzucono|odrzucone)$/;
