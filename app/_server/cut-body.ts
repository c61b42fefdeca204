import type { IncomingMessage } from "node:http";
import { MAX_BODY_BYTES } from "./max-body.ts";

/**
 * Ends a request body once it exceeds the limit: readers find it too large, and no more is read from the connection.
 * An endpoint alone cannot stop an endless body, because Next first copies every body for its proxy. The returned
 * function tells whether the body was cut; the connection must then be closed.
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
      // Otherwise Node treats the early end as a broken connection and closes it without an answer.
      request.complete = true;
      push(null);
    }
    return wanted && !over;
  };
  return () => over;
}
