import type { IncomingMessage } from "node:http";
import { MAX_BODY_BYTES } from "./max-body.ts";

/**
 * Ends a body behind the limit: what reads it finds it too large, and nothing more is read from the connection. Next
 * copies every body for its proxy before an endpoint sees it, so that an endpoint alone cannot stop one without an end.
 */
export function cutBody(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let size = 0;
  let over = false;
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (over) return false;
    if (chunk === null) return push(null);
    size += Buffer.isBuffer(chunk) ? chunk.byteLength : 0;
    over = size > MAX_BODY_BYTES;
    const wanted = push(chunk, encoding);
    if (over) push(null);
    return wanted && !over;
  };
}
