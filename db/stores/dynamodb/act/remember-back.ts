import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { RestoredDoc } from "../items/moved.ts";
import { PARTITIONS, toItem } from "../own-table/own-table.ts";
import type { VerbContext } from "./verb.ts";

/**
 * Gives a restored item a new version although its content is the same, so that actions from an older page are refused.
 */
export function rememberBack({ room: { own, ref }, found, at, v }: VerbContext): TransactWriteItem {
  const doc: RestoredDoc = { at };
  const record = toItem({ pk: PARTITIONS.restored(ref.name), sk: found.row.id, doc, v });
  return { Put: { TableName: own.name, Item: record } };
}
