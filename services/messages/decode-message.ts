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
  const veil: VeilOf = (stored) => (text) => maskWhereJson(text, rules, isCut(stored));
  return decode(input, veil, (part, stored) => maskDecoded(part, rules, isCut(stored)));
}

const isCut = ({ bytes, totalBytes }: StoredBytes) => bytes.length < totalBytes;

/** With nothing masked. Throws as decodeMessage. */
export function decodeWholeMessage(input: OneMessage): Promise<DecodedMessage> {
  return decode(
    input,
    () => undefined,
    (part) => part,
  );
}

type VeilOf = (stored: StoredBytes) => Veil | undefined;
type Mask = (part: DecodedPayload, stored: StoredBytes) => DecodedPayload;

async function decode(input: OneMessage, veilOf: VeilOf, mask: Mask): Promise<DecodedMessage> {
  const { payload, headers } = await readMessageBytes({ ...input, request: { most: MOST_BYTES } });
  const one = async (stored: StoredBytes | null, declared: ReturnType<typeof declaredCompression>) =>
    stored ? mask(await decodePayload({ ...stored, declared }, veilOf(stored)), stored) : null;
  return { payload: await one(payload, declaredCompression(headers?.bytes)), headers: await one(headers, null) };
}
