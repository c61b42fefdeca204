import type { OutboxHandover, PlaceInFile, PlaceOfChange, StoredPlace } from "#db/stores/port/handover.ts";
import { AppError } from "#domain/errors.ts";
import type { OffsetsAnswer } from "../connect-answers.ts";
import type { PatientConnect } from "./patient-connect.ts";

type Keeper = OutboxHandover["keeps"];
type Offset = NonNullable<OffsetsAnswer["offsets"][number]["offset"]>;

const INSTEAD: Record<Keeper, string> = {
  slot: "Answer with --from-slot to begin at what the slot has confirmed: what the connector published after that is published again.",
  offset: "Nothing else says how far the connector came. Mark by hand what was published: docs/debezium.md.",
};

/**
 * The offset that Connect has stored for the connector. Throws ConnectError; wrong_state, if it says no exact place.
 */
export async function readConnectorPlace(client: PatientConnect, keeper: Keeper): Promise<StoredPlace> {
  const [{ offsets }, config] = [await client.offsets(), await client.config()];
  return placeIn(offsets, { keeper, quotes: config["include.query"]?.toLowerCase() === "true" });
}

function placeIn(
  offsets: OffsetsAnswer["offsets"],
  { keeper, quotes }: { keeper: Keeper; quotes: boolean },
): StoredPlace {
  const [first, ...more] = offsets;
  const no = (message: string) => new AppError("wrong_state", `${message}. ${INSTEAD[keeper]}`);
  if (!first?.offset) throw no("Connect has stored no offset");
  if (more.length > 0) throw no(`Connect has stored ${offsets.length} offsets, of several sources`);
  const { snapshot } = first.offset;
  if (snapshot !== undefined && snapshot !== null && snapshot !== false && snapshot !== "false")
    throw new AppError(
      "wrong_state",
      "The connector is still in its snapshot. Let it publish something from the log first.",
    );
  return keeper === "slot" ? changeIn(first.offset, no) : { ...fileIn(first.offset, no), quotes };
}

function changeIn({ lsn, lsn_commit, txId }: Offset, no: (message: string) => AppError): PlaceOfChange {
  const place = { commit: exact(lsn_commit, no), change: exact(lsn, no), transaction: exact(txId, no) };
  if (place.commit === null && place.transaction === null)
    throw no("The offset that Connect has stored names no transaction");
  return { by: "change", ...place };
}

function fileIn(
  { file, pos, gtids, event, row }: Offset,
  no: (message: string) => AppError,
): Omit<PlaceInFile, "quotes"> {
  const offset = exact(pos, no);
  if (typeof file !== "string" || file === "" || offset === null)
    throw no("The offset that Connect has stored names no position in a binary log");
  const transactions = typeof gtids === "string" && gtids !== "" ? gtids : null;
  return { by: "file", file, offset, transactions, events: exact(event, no), rows: exact(row, no) };
}

/** JSON's numbers are exact up to 2^53. */
function exact(value: unknown, no: (message: string) => AppError): string | null {
  if (value === null || value === undefined) return null;
  const text = String(value);
  if (/^\d+$/.test(text) && (typeof value === "string" || Number.isSafeInteger(value))) return text;
  throw no(`The offset that Connect has stored has the value ${text}, which is no exact number`);
}
