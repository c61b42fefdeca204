import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { acceptedNow } from "../tables/mapping-holds.ts";
import type { RelayContext } from "./relay-context.ts";

/**
 * True if the table is the accepted one; checked as a term begins.
 * Index: primary key of mapping_fingerprint, and as mappingHoldsSql. Race: none, because claims, settles and lease
 * renewals check again.
 */
export async function mappingFits(
  { outbox, sessions }: Pick<RelayContext, "outbox" | "sessions">,
  accepted: MappingFingerprint,
): Promise<boolean> {
  const { sql, values } = acceptedNow(accepted, outbox, 1);
  const { rows } = await sessions.single("mapping-fits", `SELECT coalesce(${sql}, false)::text`, values);
  return rows[0]?.[0] === "true";
}
