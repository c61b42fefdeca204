import { createHash } from "node:crypto";
import type { FindingRule } from "./rule.ts";

/** The same for the same trouble, however it was found: links to a finding outlive a restart of the monitor. */
export function findingId(outbox: string, rule: FindingRule, key: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([outbox, rule, key]))
    .digest("base64url");
  return `${rule}-${hash.slice(0, 12)}`;
}
