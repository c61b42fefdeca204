import type { DecodedMessage } from "#contracts/payloads.ts";
import type { StoredBytes } from "#db/stores/port/message-detail.ts";
import { MOST_BYTES } from "../payload/bounds.ts";
import { decodePayload } from "../payload/decode-payload.ts";
import { declaredCompression } from "../payload/encodings/declared-compression.ts";
import type { Runtime } from "../runtime.ts";
import { readMessageBytes } from "./read-message-bytes.ts";

/** Payload and headers of one message, decoded. Throws: not_found, unavailable, query_timeout. */
export async function decodeMessage(input: { runtime: Runtime; outbox: string; id: string }): Promise<DecodedMessage> {
  const { payload, headers } = await readMessageBytes({ ...input, request: { most: MOST_BYTES } });
  const declared = declaredCompression(headers?.bytes);
  const decode = (stored: StoredBytes | null, of: typeof declared) =>
    stored ? decodePayload({ ...stored, declared: of }) : null;
  return { payload: await decode(payload, declared), headers: await decode(headers, null) };
}
