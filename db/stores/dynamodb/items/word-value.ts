import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { MappedColumn } from "../../port/mapping.ts";
import type { Item } from "./item.ts";

/**
 * A word of a status as its attribute stores it, in the item's own type before the declared one: a number that is
 * written as a text is found by no condition of the team's relay.
 */
export function wordValue({ name, type }: MappedColumn, word: string, item: Item = {}): AttributeValue {
  const now = item[name];
  if (now?.BOOL !== undefined && /^(true|false)$/.test(word)) return { BOOL: word === "true" };
  const isNumber = now === undefined || now.NULL ? type === "N" || type === "number" : now.N !== undefined;
  return isNumber && /^-?\d+(\.\d+)?$/.test(word) ? { N: word } : { S: word };
}
