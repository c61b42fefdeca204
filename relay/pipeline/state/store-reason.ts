import { isUnreachable } from "#db/stores/port/store-error.ts";
import { messageOf } from "#domain/errors.ts";
import { STORE_SILENT } from "#domain/relay/unwritten-outcomes.ts";

/** The store's reason for a relay's last error. A lost connection is no answer and must not be shown as a refusal. */
export function storeReason(error: unknown): string {
  const said = messageOf(error);
  return isUnreachable(error) ? `${STORE_SILENT} (${said.replace(/\.$/, "")})` : said;
}
