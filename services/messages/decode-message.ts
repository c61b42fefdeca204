import type { DecodedMessage, DecodedPayload } from "#contracts/message/payloads.ts";
import type { StoredBytes } from "#db/stores/port/message-detail.ts";
import { maskDecoded } from "../masking/mask-decoded.ts";
import { rulesOfMessage } from "../masking/rules-of-message.ts";
import { MOST_BYTES } from "../payload/bounds.ts";
import { decodePayload } from "../payload/decode-payload.ts";
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
  const [decoded, rules] = await Promise.all([decodeWholeMessage(input), rulesOfMessage(input)]);
  if (rules === null) return decoded;
  const mask = (part: DecodedPayload | null) => part && maskDecoded(part, rules);
  return { payload: mask(decoded.payload), headers: mask(decoded.headers) };
}

/** With nothing masked. Throws as decodeMessage. */
export async function decodeWholeMessage(input: OneMessage): Promise<DecodedMessage> {
  const { payload, headers } = await readMessageBytes({ ...input, request: { most: MOST_BYTES } });
  const declared = declaredCompression(headers?.bytes);
  const decode = (stored: StoredBytes | null, of: typeof declared) =>
    stored ? decodePayload({ ...stored, declared: of }) : null;
  return { payload: await decode(payload, declared), headers: await decode(headers, null) };
}
