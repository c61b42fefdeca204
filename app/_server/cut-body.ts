import type { IncomingMessage } from "node:http";
import { MAX_BODY_BYTES } from "./max-body.ts";

/**
 * Ends a body behind the limit: what reads it finds it too large, and nothing more is read from the connection. Next
 * copies every body for its proxy before an endpoint sees it, so that an endpoint alone cannot stop one without an end.
 * Returns whether that has happened: the connection is of no more use then.
 */
export function cutBody(request: IncomingMessage): () => boolean {
  const push = request.push.bind(request);
  let size = 0;
  let over = false;
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (over) return false;
    if (chunk === null) return push(null);
    size += Buffer.isBuffer(chunk) ? chunk.byteLength : 0;
    over = size > MAX_BODY_BYTES;
    const wanted = push(chunk, encoding);
    if (over) {
      // Node takes a body that ends before its message for a broken connection, and would close it without an answer.
      request.complete = true;
      push(null);
    }
    return wanted && !over;
  };
  return () => over;
}
