import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { toText } from "../connection/dialect.ts";
import { acceptedNow } from "../tables/mapping-holds.ts";
import type { RelayContext } from "./relay-context.ts";

/**
 * True if the table is the accepted one; checked as a term begins.
 * Index: primary key of mapping_fingerprint, and as mappingHoldsSql. Race: none, because claims, settles and lease
 * renewals check again.
 */
export async function mappingFits(
  { outbox, own, sessions }: Pick<RelayContext, "outbox" | "own" | "sessions">,
  accepted: MappingFingerprint,
): Promise<boolean> {
  const [row] = await sessions.single((session) =>
    session.rows(`SELECT COALESCE(${toText(acceptedNow(own, accepted, outbox))}, FALSE)`),
  );
  return row?.[0] === "1";
}
