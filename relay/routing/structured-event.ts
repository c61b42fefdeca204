import type { MissingName } from "#domain/relay/route-template.ts";
import { contentTypeOf, JSON_TYPE } from "./content-type.ts";
import type { RoutedRow } from "./routed-row.ts";

/** One attribute of an event and the source of its value; null: the attribute is left out. */
export interface Attribute {
  name: string;
  value(row: RoutedRow, key: string | null): string | null | MissingName;
}

/**
 * One CloudEvent in the JSON event format. JSON data is inserted as the stored text, since parsing and printing it
 * would change 9007199254740993 and 1.10.
 */
export function structuredEvent(
  attributes: readonly Attribute[],
  row: RoutedRow,
  key: string | null,
): string | MissingName {
  let event = "{";
  for (const { name, value } of attributes) {
    const text = value(row, key);
    if (text === null) continue;
    if (typeof text !== "string") return text;
    event += `"${name}":${JSON.stringify(text)},`;
  }
  const { payload, payloadKind } = row.message;
  const contentType = contentTypeOf(row.message);
  if (payload === null) return `${event.slice(0, -1)}}`;
  event += `"datacontenttype":"${contentType}",`;
  if (payloadKind === "binary") return `${event}"data_base64":"${payload}"}`;
  return `${event}"data":${contentType === JSON_TYPE ? payload : JSON.stringify(payload)}}`;
}
