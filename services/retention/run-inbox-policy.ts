import type { InboxHandle, Runtime } from "../runtime.ts";
import { inboxFloor, inboxPolicyOf, requireInboxRetention, whyTooShort } from "./inbox-policy.ts";
import { runPolicy, type TurnInput, type TurnResult } from "./run-policy.ts";

/**
 * One turn over an inbox, as one over an outbox: refused with the sentence while its outboxes can send a message again
 * that is older than the policy keeps. Null without a policy. Throws: wrong_state.
 */
export async function runInboxPolicy(
  input: Pick<TurnInput, "after" | "budgetMs" | "signal"> & { runtime: Runtime; inbox: InboxHandle },
): Promise<TurnResult | null> {
  const { runtime, inbox, ...turn } = input;
  const policy = inboxPolicyOf(inbox);
  if (!policy) return null;
  const { keepSeconds, text } = policy;
  const port = await requireInboxRetention(runtime, inbox);
  return runPolicy({
    ...turn,
    policy: { subject: "published", text, rule: { keepSeconds, how: "delete", reader: null } },
    retention: {
      refuses: async () => whyTooShort(await inboxFloor(runtime, inbox), keepSeconds) ?? (await port.refuses()),
      removeSome: (_, request) => port.removeSome(keepSeconds, request),
      purgeArchived: () => Promise.reject(new Error("An inbox has no archive.")),
      pressure: () => port.pressure(),
      begin: ({ rule }) => port.begin(rule),
      end: (run, end, detail) => port.end(run, end, detail),
    },
  });
}
