import type { Storage } from "#contracts/outbox/storage.ts";
import { toAppError } from "#domain/errors.ts";
import { inboxFloor, inboxPolicyOf, requireInboxRetention, whyTooShort } from "../retention/inbox-policy.ts";
import { inboxesOf, type OldestAge, oldestDead } from "../retention/inbox-windows.ts";
import type { InboxHandle, OutboxHandle, Runtime } from "../runtime.ts";

const RUNS = 20;

/** What retention does about the inboxes that an outbox feeds. */
export async function inboxStorageOf(runtime: Runtime, outbox: string): Promise<Storage["inboxes"]> {
  const ages = new Map<string, Promise<OldestAge>>();
  const deadOf = (handle: OutboxHandle) => {
    const age = ages.get(handle.name) ?? oldestDead(handle);
    ages.set(handle.name, age);
    return age;
  };
  return Promise.all((await inboxesOf(runtime, outbox)).map((inbox) => storageOf(runtime, inbox, deadOf)));
}

async function storageOf(
  runtime: Runtime,
  inbox: InboxHandle,
  deadOf: typeof oldestDead,
): Promise<Storage["inboxes"][number]> {
  const policy = inboxPolicyOf(inbox);
  const floor = await inboxFloor(runtime, inbox, deadOf);
  const { refusal, runs } = await readRetention(runtime, inbox).catch((error: unknown) => ({
    ...{ refusal: toAppError(error).message, runs: [] },
  }));
  return {
    name: inbox.name,
    policy: policy?.text ?? null,
    keepSeconds: policy?.keepSeconds ?? null,
    least: floor.seconds,
    floor: floor.text,
    refusal: refusal ?? (policy ? whyTooShort(floor, policy.keepSeconds) : null),
    runs,
  };
}

async function readRetention(runtime: Runtime, inbox: InboxHandle) {
  const retention = await requireInboxRetention(runtime, inbox);
  const [refusal, runs] = await inbox.store.guard.ask(() => Promise.all([retention.refuses(), retention.runs(RUNS)]));
  return { refusal, runs };
}
