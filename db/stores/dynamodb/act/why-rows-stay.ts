import type { TableDescription } from "@aws-sdk/client-dynamodb";
import { AppError } from "#domain/errors.ts";
import { type Item, sizeOf } from "../items/item.ts";
import type { FoundMessage } from "../read/find-message.ts";
import type { Room } from "../room.ts";

/** Largest item, of DynamoDB's 400 KB for one of our records; the rest is for our data about the message. */
const MOST_IMAGE_BYTES = 390_000;

/** Clause: why items must not leave the table; null if they may. */
export async function whyRowsStay({ link, family }: Pick<Room, "link" | "family">): Promise<string | null> {
  return reasonOf(await link.describe(family.table));
}

function reasonOf(table: TableDescription | null): string | null {
  if (!table?.StreamSpecification?.StreamEnabled) return null;
  return "it has a stream, whose readers would take an item that is put back for a new event";
}

/** Clause: why this item must stay; null if it can be removed and put back unchanged. */
export function whyItemStays(table: TableDescription | null, item: Item): string | null {
  const reason = reasonOf(table);
  if (reason !== null) return reason;
  return sizeOf(item) > MOST_IMAGE_BYTES ? "it is too large for a record of ours, which may have 400 KB" : null;
}

/** Throws conflict if our table keeps an earlier item of the same key, which must not be overwritten. */
export function requireNoImage({ keepsEarlier }: FoundMessage): void {
  if (keepsEarlier)
    throw new AppError(
      "conflict",
      "The archive or the dead letters keep an earlier message with this key, which must not be overwritten: purge that one first, once this one has left its table.",
    );
}
