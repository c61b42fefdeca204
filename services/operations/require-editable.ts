import type { CorrectionBody } from "#contracts/message/corrections.ts";
import type { StoredBytes } from "#db/stores/port/message-detail.ts";
import { AppError } from "#domain/errors.ts";
import { MASK } from "#domain/masking/mask-rules.ts";
import { isJson, MOST_EDITED_BYTES } from "#domain/message/correction.ts";
import { maskerFor, outboxOf } from "../outboxes/outbox-of.ts";
import { decodePayload } from "../payload/decode-payload.ts";
import { declaredCompression } from "../payload/encodings/declared-compression.ts";
import type { OutboxHandle } from "../runtime.ts";
import { repeatedKey } from "./repeated-key.ts";

const LIMIT = `${MOST_EDITED_BYTES / 1024} KB`;

/**
 * Throws not_found; wrong_state if payload or headers are not the stored text but were decoded for reading;
 * invalid_input if JSON would become something else, or nothing is changed.
 */
export async function requireEditable(
  handle: OutboxHandle,
  id: string,
  { payload, headers }: Pick<CorrectionBody, "payload" | "headers">,
): Promise<void> {
  if (payload.includes(MASK) || headers?.includes(MASK)) await requireWhole(handle, id);
  const stored = await outboxOf(handle).read.bytes(id, { most: MOST_EDITED_BYTES, longer: "length" });
  if (!stored) throw new AppError("not_found", "This message is not there any more.");
  const declared = declaredCompression(stored.headers?.bytes);
  const before = await textOf(stored.payload, { what: "payload", declared });
  requireSameKind({ what: "payload", before, after: payload, isJsonColumn: stored.payload?.kind === "json" });
  if (headers === undefined) {
    if (before === payload) throw new AppError("invalid_input", "Nothing was changed: retry the message instead.");
    return;
  }
  const old = await textOf(stored.headers, { what: "headers", declared: null });
  requireSameKind({ what: "headers", before: old, after: headers, isJsonColumn: stored.headers?.kind === "json" });
  if (before === payload && old === headers)
    throw new AppError("invalid_input", "Nothing was changed: retry the message instead.");
}

/** The placeholder of a masked value must not be sent as the value. */
async function requireWhole(handle: OutboxHandle, id: string): Promise<void> {
  const [masker, [row]] = await Promise.all([maskerFor(handle), outboxOf(handle).read.find([id])]);
  if ((masker?.rules(row?.eventType ?? null) ?? null) === null) return;
  throw new AppError(
    "invalid_input",
    `The copy has ${MASK} where a value is masked: reveal the message, then edit it.`,
  );
}

type Part = { what: "payload" | "headers"; declared: ReturnType<typeof declaredCompression> };

async function textOf(stored: StoredBytes | null, { what, declared }: Part): Promise<string> {
  const no = (why: string) => new AppError("wrong_state", `The ${what} cannot be edited: ${why}.`);
  if (stored === null) throw no("there is none");
  if (stored.totalBytes > MOST_EDITED_BYTES) throw no(`it is longer than ${LIMIT}`);
  if (stored.kind === "binary") throw no("the column holds bytes, not text");
  const text = Buffer.from(stored.bytes).toString("utf8");
  const { chain } = await decodePayload({ ...stored, declared });
  const layers = chain.slice(1);
  if (layers.includes("S3 pointer") || layers.includes("reference"))
    throw no("it is kept elsewhere, and the row refers to it");
  const isPlain = declared === null && (isJson(text) || layers.every((layer) => layer === "text"));
  if (!isPlain)
    throw no(`it is shown decoded (${layers.join(", ")}), and what was typed could not be encoded in the same way`);
  return text;
}

interface Kind {
  what: "payload" | "headers";
  before: string;
  after: string;
  isJsonColumn: boolean;
}

function requireSameKind({ what, before, after, isJsonColumn }: Kind): void {
  if (Buffer.byteLength(after) > MOST_EDITED_BYTES)
    throw new AppError("invalid_input", `The ${what} would be longer than ${LIMIT}.`);
  if ((isJsonColumn || isJson(before)) && !isJson(after))
    throw new AppError("invalid_input", `The ${what} was JSON and would no longer be.`);
  const key = isJson(before) && repeatedKey(before) === null ? repeatedKey(after) : null;
  if (key !== null)
    throw new AppError(
      "invalid_input",
      `The ${what} would have the key ${key} twice in one object: one value would be lost.`,
    );
}
