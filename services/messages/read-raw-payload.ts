import { AppError } from "#domain/errors.ts";
import { formatBytes } from "#domain/format.ts";
import { maskStoredBytes } from "../masking/mask-stored.ts";
import { rulesOfMessage } from "../masking/rules-of-message.ts";
import type { Runtime } from "../runtime.ts";
import { readMessageBytes } from "./read-message-bytes.ts";

/** Most bytes of one download: they are in memory at once. */
const MOST_DOWNLOADED = 16_000_000;

/**
 * The exact bytes of a payload or of headers, with a name for the file; JSON with its values masked where some are.
 * Throws: not_found, forbidden (hidden), unavailable, query_timeout.
 */
export async function readRawPayload(input: {
  runtime: Runtime;
  outbox: string;
  id: string;
  part: "payload" | "headers";
}): Promise<{ bytes: Uint8Array; fileName: string }> {
  const { part } = input;
  const request = { part, most: MOST_DOWNLOADED, longer: "length" } as const;
  const found = (await readMessageBytes({ ...input, request }))[part];
  if (!found) throw new AppError("not_found", `This message has no ${part}.`);
  const { bytes, totalBytes } = found;
  if (bytes.length < totalBytes)
    throw new AppError(
      "invalid_input",
      `The ${part} has ${formatBytes(totalBytes)}; the console downloads at most ${formatBytes(MOST_DOWNLOADED)}. Read it from the database with the SQL that Copy gives.`,
    );
  const rules = await rulesOfMessage(input);
  const masked = rules && maskStoredBytes(found, rules);
  if (masked && "hidden" in masked) throw new AppError("forbidden", `${masked.hidden} Reveal the message to see it.`);
  const name = `${input.outbox}-${input.id}-${part}`.replace(/[^\w.-]+/g, "_").slice(0, 120);
  return { bytes: masked && masked.count > 0 ? Buffer.from(masked.text) : bytes, fileName: `${name}.bin` };
}
