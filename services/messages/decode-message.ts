import type { DecodedMessage, DecodedPayload } from "#contracts/message/payloads.ts";
import type { StoredBytes } from "#db/stores/port/message-detail.ts";
import { maskDecoded } from "../masking/mask-decoded.ts";
import { maskWhereJson } from "../masking/mask-stored.ts";
import { rulesOfMessage } from "../masking/rules-of-message.ts";
import { MOST_BYTES } from "../payload/bounds.ts";
import { decodePayload, type Veil } from "../payload/decode-payload.ts";
import { declaredCompression } from "../payload/encodings/declared-compression.ts";
import type { Runtime } from "../runtime.ts";
import { readMessageBytes } from "./read-message-bytes.ts";

interface OneMessage {
  runtime: Runtime;
  outbox: string;
  id: string;
}

/** Payload and headers of one message, decoded and masked. Throws: not_found, unavailable, query_timeout. */
export async function decodeMessage(input: OneMessage): Promise<DecodedMessage> {
  const rules = await rulesOfMessage(input);
  if (rules === null) return decodeWholeMessage(input);
  const decoded = await decode(input, ({ bytes, totalBytes }) => {
    const cut = bytes.length < totalBytes;
    return (text) => maskWhereJson(text, rules, cut);
  });
  const mask = (part: DecodedPayload | null) => part && maskDecoded(part, rules);
  return { payload: mask(decoded.payload), headers: mask(decoded.headers) };
}

/** With nothing masked. Throws as decodeMessage. */
export function decodeWholeMessage(input: OneMessage): Promise<DecodedMessage> {
  return decode(input, () => undefined);
}

async function decode(input: OneMessage, veilOf: (stored: StoredBytes) => Veil | undefined): Promise<DecodedMessage> {
  const { payload, headers } = await readMessageBytes({ ...input, request: { most: MOST_BYTES } });
  const one = (stored: StoredBytes | null, declared: ReturnType<typeof declaredCompression>) =>
    stored ? decodePayload({ ...stored, declared }, veilOf(stored)) : null;
  return { payload: await one(payload, declaredCompression(headers?.bytes)), headers: await one(headers, null) };
}
