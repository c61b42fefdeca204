import type { Storage } from "#contracts/storage.ts";
import { toAppError } from "#domain/errors.ts";
import { type InboxFloor, inboxFloor, inboxPolicyOf, requireInboxRetention } from "../retention/inbox-policy.ts";
import { inboxesOf } from "../retention/inbox-windows.ts";
import { days } from "../retention/policies-of.ts";
import type { InboxHandle, Runtime } from "../runtime.ts";

const RUNS = 20;

/** What retention does about the inboxes that an outbox feeds. */
export async function inboxStorageOf(runtime: Runtime, outbox: string): Promise<Storage["inboxes"]> {
  return Promise.all((await inboxesOf(runtime, outbox)).map((inbox) => storageOf(runtime, inbox)));
}

async function storageOf(runtime: Runtime, inbox: InboxHandle): Promise<Storage["inboxes"][number]> {
  const policy = inboxPolicyOf(inbox);
  const floor = await inboxFloor(runtime, inbox);
  const { refusal, runs } = await readRetention(runtime, inbox).catch((error: unknown) => ({
    ...{ refusal: toAppError(error).message, runs: [] },
  }));
  return {
    name: inbox.name,
    policy: policy?.text ?? null,
    keepSeconds: policy?.keepSeconds ?? null,
    least: floor.seconds,
    floor: floor.text,
    refusal: refusal ?? (policy ? tooShort(policy.keepSeconds, floor) : null),
    runs,
  };
}

async function readRetention(runtime: Runtime, inbox: InboxHandle) {
  const retention = await requireInboxRetention(runtime, inbox);
  const [refusal, runs] = await inbox.store.line.ask(() => Promise.all([retention.refuses(), retention.runs(RUNS)]));
  return { refusal, runs };
}

function tooShort(keepSeconds: number, { seconds, text }: InboxFloor): string | null {
  if (seconds === null) return text;
  return keepSeconds < seconds ? `${days(keepSeconds)} is too short. ${text}` : null;
}
