import "server-only";
import { AppError } from "#domain/errors.ts";
import { MAX_BODY_BYTES } from "./max-body.ts";

/** Reads the JSON body, at most up to the limit. Throws: body_too_large, invalid_input. */
export async function readJsonBody(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("invalid_input", "The body must be JSON, with content-type: application/json.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new AppError("invalid_input", "The body is not valid JSON.");
    throw error;
  }
}

function tooLarge(): AppError {
  return new AppError("body_too_large", `The body is larger than ${(MAX_BODY_BYTES / 1e6).toFixed(1)} MB.`);
}
