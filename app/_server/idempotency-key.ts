import "server-only";
import { AppError } from "#domain/errors.ts";

/** The request's Idempotency-Key; null without one. Throws: invalid_input. */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || /^[\w.:-]{8,200}$/.test(key)) return key;
  throw new AppError("invalid_input", "Idempotency-Key must be 8 to 200 letters, digits or . : _ -");
}
