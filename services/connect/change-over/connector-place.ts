import type { StoredPlace } from "#db/stores/port/handover.ts";
import { AppError } from "#domain/errors.ts";
import type { OffsetsAnswer } from "../connect-answers.ts";
import type { ConnectClient } from "../connect-client.ts";

const INSTEAD =
  "Answer with --from-slot to begin at what the slot has confirmed: what the connector published behind that is published again.";

/** The offset that Connect has stored for the connector. Throws ConnectError; wrong_state, if it says no exact place. */
export async function readConnectorPlace(client: ConnectClient): Promise<StoredPlace> {
  return placeIn((await client.offsets()).offsets);
}

export function placeIn(offsets: OffsetsAnswer["offsets"]): StoredPlace {
  const [first, ...more] = offsets;
  if (!first?.offset) throw new AppError("wrong_state", `Connect has stored no offset. ${INSTEAD}`);
  if (more.length > 0)
    throw new AppError("wrong_state", `Connect has stored ${offsets.length} offsets, of several sources. ${INSTEAD}`);
  const { snapshot, lsn, lsn_commit, txId } = first.offset;
  if (snapshot !== undefined && snapshot !== null && snapshot !== false && snapshot !== "false")
    throw new AppError(
      "wrong_state",
      "The connector is still in its snapshot. Let it publish something from the log first.",
    );
  const place = { commit: exact(lsn_commit), change: exact(lsn), transaction: exact(txId) };
  if (place.commit === null && place.transaction === null)
    throw new AppError("wrong_state", `The offset that Connect has stored names no transaction. ${INSTEAD}`);
  return place;
}

/** JSON's numbers are exact up to 2^53. */
function exact(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const text = String(value);
  if (/^\d+$/.test(text) && (typeof value === "string" || Number.isSafeInteger(value))) return text;
  throw new AppError(
    "wrong_state",
    `The offset that Connect has stored has the value ${text}, which is no exact number. ${INSTEAD}`,
  );
}
