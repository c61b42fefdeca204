import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { MOST_BYTES } from "../bounds.ts";

export type Compression = "gzip" | "zlib" | "deflate" | "zstd" | "brotli";

/**
 * `complete`: the stream ended and its checksum holds; `ends_early`, `damaged`: as far as it could be read;
 * `over_bound`: decompression stopped at MOST_BYTES. `unread`: bytes behind a complete stream.
 */
export interface Decompressed {
  bytes: Uint8Array;
  end: "complete" | "ends_early" | "damaged" | "over_bound";
  unread: number;
}

/** Opens the stream that decompresses, in Node's own threads; `ending`: its action at the end of the input. */
const OPENERS = {
  gzip: (ending: "finish" | "flush") =>
    createGunzip({ finishFlush: ending === "finish" ? constants.Z_FINISH : constants.Z_SYNC_FLUSH }),
  zlib: (ending: "finish" | "flush") =>
    createInflate({ finishFlush: ending === "finish" ? constants.Z_FINISH : constants.Z_SYNC_FLUSH }),
  deflate: (ending: "finish" | "flush") =>
    createInflateRaw({ finishFlush: ending === "finish" ? constants.Z_FINISH : constants.Z_SYNC_FLUSH }),
  zstd: (ending: "finish" | "flush") =>
    createZstdDecompress({ finishFlush: ending === "finish" ? constants.ZSTD_e_end : constants.ZSTD_e_flush }),
  brotli: (ending: "finish" | "flush") =>
    createBrotliDecompress({
      finishFlush: ending === "finish" ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH,
    }),
};

/** False where this Node was built without it. */
export const canDecompress = (kind: Compression): boolean =>
  kind !== "zstd" || typeof createZstdDecompress === "function";

/** Never throws; stops after MOST_BYTES of output, even if the input claims a smaller size. */
export async function decompress(kind: Compression, input: Uint8Array): Promise<Decompressed> {
  const whole = await run(kind, input, "finish");
  if (whole.end !== "ends_early" && whole.end !== "damaged") return whole;
  // Node drops the last output of a stream that ends too early, unless `finishFlush` requests a flush.
  const partial = await run(kind, input, "flush");
  return { bytes: partial.bytes.length > whole.bytes.length ? partial.bytes : whole.bytes, end: whole.end, unread: 0 };
}

function run(kind: Compression, input: Uint8Array, ending: "finish" | "flush"): Promise<Decompressed> {
  return new Promise((resolve) => {
    const stream = OPENERS[kind](ending);
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (end: Decompressed["end"]) => {
      const bytes = Buffer.concat(chunks).subarray(0, MOST_BYTES);
      resolve({ bytes, end, unread: end === "complete" ? input.length - stream.bytesWritten : 0 });
      stream.destroy();
    };
    stream.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MOST_BYTES) finish("over_bound");
    });
    stream.on("end", () => finish("complete"));
    stream.on("error", (error: NodeJS.ErrnoException) =>
      finish(error.code === "Z_BUF_ERROR" ? "ends_early" : "damaged"),
    );
    stream.end(input);
  });
}
