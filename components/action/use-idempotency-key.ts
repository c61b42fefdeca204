import { useCallback, useRef } from "react";
import { createIdempotencyKey } from "./idempotency-key.ts";

/**
 * The key of a request: the same for the same request, so that pressing again after a lost answer acts only once; a
 * different one, also by its reason, has a new key.
 */
export function useIdempotencyKey(): (request: unknown) => string {
  const sent = useRef({ body: "", key: "" });
  return useCallback((request: unknown) => {
    const body = JSON.stringify(request);
    if (sent.current.body !== body) sent.current = { body, key: createIdempotencyKey() };
    return sent.current.key;
  }, []);
}
