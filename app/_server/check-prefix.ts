import "server-only";
import { basePath } from "#contracts/base-path.ts";
import { AppError } from "#domain/errors.ts";
import type { Config } from "#services/config/config-schema.ts";
import { isFromTrustedProxy } from "./source.ts";

/**
 * A trusted proxy that says it serves the console under another path than BASE_PATH would get pages whose every link
 * leads elsewhere. The header counts only from a trusted proxy. Throws: invalid_input.
 */
export function checkPrefix(config: Config, request: { headers: Headers }): void {
  const sent = request.headers.get("x-forwarded-prefix");
  if (sent === null || !isFromTrustedProxy(config, request)) return;
  const prefix = prefixOf(sent);
  if (prefix === basePath()) return;
  const own = basePath() === "" ? "at the root" : `under ${basePath()}`;
  throw new AppError(
    "invalid_input",
    `The proxy serves this console under ${prefix || "/"} (X-Forwarded-Prefix), and the console was started to be ${own}: its links would be wrong. Start it with BASE_PATH=${prefix || "/"}.`,
  );
}

/** Proxies one behind the other each add theirs, the outermost first. Printed in a sentence, so it is cut. */
function prefixOf(sent: string): string {
  const parts = sent.split(",").map((part) => part.trim().replace(/\/+$/, ""));
  return parts.join("").slice(0, 200);
}
