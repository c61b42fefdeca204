import { createHash } from "node:crypto";
import type { CauseCode } from "#domain/diagnosis/words.ts";

/** Stable id of a finding, from outbox, rule and key: links survive a restart of the monitor. */
export function findingId(outbox: string, rule: CauseCode, key: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([outbox, rule, key]))
    .digest("base64url");
  return `${rule}-${hash.slice(0, 12)}`;
}
