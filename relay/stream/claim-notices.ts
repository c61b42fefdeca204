import { setTimeout as delay } from "node:timers/promises";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Notice, RelayStream } from "#db/stores/port/relay/relay-stream.ts";

/** Longest wait of a claim for commits that other sessions cannot see yet. */
const UNSEEN_MS = 1000;
const LONGEST_WAIT_MS = 20;
const ROUNDS_AT_ONCE = 3;

export interface ClaimedNotices {
  /** In stream order; each run has one token. */
  runs: Claim[];
  /** Messages that must not be sent, or that another path sends. */
  gone: string[];
  /** Committed but still not visible; the caller asks again later. */
  unseen: string[];
  /** Error that ended the claim early; messages claimed before it are in `runs`. */
  error: unknown;
}

/**
 * Claims noticed messages and waits for those not yet visible: the log reports a commit shortly before other sessions
 * see it, and later messages must not overtake it. With a synchronous standby this lasts until the standby confirms.
 */
export async function claimNotices(input: {
  stream: RelayStream;
  lease: Lease;
  notices: readonly Notice[];
}): Promise<ClaimedNotices> {
  const { stream, lease, notices } = input;
  const claimed = new Map<string, { token: string; message: OutgoingMessage }>();
  const startedMs = performance.now();
  let waiting: readonly Notice[] = notices;
  let error: unknown;
  try {
    for (let round = 1; ; round += 1) {
      const { claim, unseen } = await stream.claim({ lease, notices: waiting });
      for (const message of claim?.messages ?? []) claimed.set(message.id, { token: claim?.token ?? "", message });
      const still = new Set(unseen);
      waiting = waiting.filter(({ id }) => still.has(id));
      if (waiting.length === 0 || performance.now() - startedMs > UNSEEN_MS) break;
      if (round > ROUNDS_AT_ONCE) await delay(Math.min(round, LONGEST_WAIT_MS));
    }
  } catch (thrown) {
    error = thrown;
  }
  return { ...inOrder(notices, claimed, new Set(waiting.map(({ id }) => id))), error };
}

function inOrder(
  notices: readonly Notice[],
  claimed: ReadonlyMap<string, { token: string; message: OutgoingMessage }>,
  waiting: ReadonlySet<string>,
): Omit<ClaimedNotices, "error"> {
  const result = { runs: [] as Claim[], gone: [] as string[], unseen: [] as string[] };
  for (const { id } of notices) {
    const found = claimed.get(id);
    const last = result.runs.at(-1);
    if (!found) (waiting.has(id) ? result.unseen : result.gone).push(id);
    else if (last?.token === found.token) last.messages.push(found.message);
    else result.runs.push({ token: found.token, messages: [found.message] });
  }
  return result;
}
