import { storableText } from "../stores/shared/relay/storable-text.ts";

/** JSON whose texts Postgres can read: a NUL or half of a character in one text would refuse the whole document. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    typeof one === "string" ? storableText(one, Number.POSITIVE_INFINITY) : one,
  );
}
