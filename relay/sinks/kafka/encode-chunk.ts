import { messageOf } from "#domain/errors.ts";
import type { Failure } from "#domain/failure.ts";
import type { Chunk } from "./lane.ts";
import { type Compression, encodeBatch } from "./record-batch.ts";

/**
 * Encodes a chunk's batch, once. Returns null, or the failure: every batch uses the same codec, so no message is to
 * blame.
 */
export async function encodeChunk(chunk: Chunk, compression: Compression): Promise<Failure | null> {
  try {
    chunk.batch ??= await encodeBatch({ ...chunk, records: chunk.entries.map(({ record }) => record), compression });
    return null;
  } catch (error) {
    const reason = messageOf(error);
    const message = `Batches cannot be compressed with ${compression}: ${reason}`;
    return { code: "unavailable", kind: "environment", message };
  }
}
