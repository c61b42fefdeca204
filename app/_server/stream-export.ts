import "server-only";
import { setTimeout } from "node:timers/promises";
import type { OpenExport } from "#services/export/export-job.ts";

/** An export whose reader takes nothing for so long is given up on. */
const IDLE_MS = 120_000;
/** A connection that is closed at once loses what was written last, which says that the export is cut. */
const LINGER_MS = 500;

/**
 * Streams an export as a download: the next chunk is made when the last one is taken. When the reader leaves or stops
 * reading, the export ends; when it is cut by an error, the transfer fails after its last line.
 */
export function streamExport(file: OpenExport, requestId: string, idleMs = IDLE_MS): Response {
  const { chunks } = file;
  const encoder = new TextEncoder();
  let idle: NodeJS.Timeout | undefined;
  const wait = (controller: ReadableStreamDefaultController) => {
    idle = globalThis.setTimeout(() => {
      controller.error(new Error("The reader of an export stopped reading."));
      void chunks.return();
    }, idleMs);
    idle.unref();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: wait,
      async pull(controller) {
        clearTimeout(idle);
        const { done, value } = await chunks.next().catch(afterLastLine);
        if (done) return controller.close();
        controller.enqueue(encoder.encode(value));
        wait(controller);
      },
      async cancel() {
        clearTimeout(idle);
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": file.contentType,
      "content-disposition": `attachment; filename="${file.fileName}"`,
      "x-content-type-options": "nosniff",
      // Compressed, the last lines would wait in the encoder's buffer.
      "cache-control": "no-store, no-transform",
      "x-request-id": requestId,
    },
  });
}

async function afterLastLine(error: unknown): Promise<never> {
  await setTimeout(LINGER_MS);
  throw error;
}
