import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { InboxMapping } from "../../port/inbox-mapping.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import { decodeMessageId, encodeMessageId } from "../../port/message-id.ts";
import { type Item, textOf } from "./item.ts";

type Keyed = Pick<OutboxMapping | InboxMapping, "primaryKey">;

/** The encoded id of an item. */
export function idOf(item: Item, { primaryKey }: Keyed): string {
  return encodeMessageId(primaryKey.map(({ name }) => textOf(item[name]) ?? ""));
}

/** The key of an id; null if no item can have it. Throws not_found if it encodes no key of this length. */
export function keyOf(id: string, { primaryKey }: Keyed): Item | null {
  const values = decodeMessageId(id, primaryKey.length);
  const key: Item = {};
  for (const [place, { name, type }] of primaryKey.entries()) {
    const value = keyValue(values[place] ?? "", type);
    if (value === null) return null;
    key[name] = value;
  }
  return key;
}

function keyValue(text: string, type: string): AttributeValue | null {
  if (text === "") return null;
  if (type === "N") return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? { N: text } : null;
  return type === "B" ? { B: new Uint8Array(Buffer.from(text, "base64")) } : { S: text };
}

export function keyFrom(item: Item, { primaryKey }: Keyed): Item {
  return Object.fromEntries(primaryKey.map(({ name }) => [name, item[name] as AttributeValue]));
}

/** Aggregate type and id as one key; null without an aggregate. */
export function aggregateKeyOf(type: string | null, id: string | null): string | null {
  if (id === null) return null;
  return type === null ? id : `${type}/${id}`;
}
