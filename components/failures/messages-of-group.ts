import type { FailureGroup } from "#contracts/messages.ts";

/** The filter that shows a group's messages, on the tab that holds most of them. */
export function messagesOfGroup(group: Pick<FailureGroup, "fingerprint" | "failed" | "dead">): Record<string, string> {
  return { state: group.dead > group.failed ? "dead" : "failed", group: group.fingerprint };
}
