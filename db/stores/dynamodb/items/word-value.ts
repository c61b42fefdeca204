import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { MappedColumn, PendingWord } from "../../port/mapping.ts";
import type { Item } from "./item.ts";

/**
 * A word of a status as its attribute stores it, in the item's own type before the declared one: a number that is
 * written as a text is found by no condition of the team's relay.
 */
export function wordValue(status: MappedColumn, word: string, item?: Item): AttributeValue;
/** Null removes the attribute: an item without it is new. */
export function wordValue(status: MappedColumn, word: PendingWord, item?: Item): AttributeValue | null;
export function wordValue({ name, type }: MappedColumn, word: PendingWord, item: Item = {}): AttributeValue | null {
  if (word === null) return null;
  const now = item[name];
  if (now?.BOOL !== undefined && /^(true|false)$/.test(word)) return { BOOL: word === "true" };
  const isNumber = now === undefined || now.NULL ? type === "N" || type === "number" : now.N !== undefined;
  return isNumber && /^-?\d+(\.\d+)?$/.test(word) ? { N: word } : { S: word };
}
