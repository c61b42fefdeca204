import { createHash } from "node:crypto";
import type { CauseCode } from "#domain/diagnosis/words.ts";

/** The same for the same trouble, however it was found: links to a finding outlive a restart of the monitor. */
export function findingId(outbox: string, rule: CauseCode, key: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([outbox, rule, key]))
    .digest("base64url");
  return `${rule}-${hash.slice(0, 12)}`;
}
