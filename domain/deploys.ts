import { isLater } from "./message/failure-group.ts";

interface DeployTime {
  at: string;
}

/** A deploy this long before the first failure is not mentioned with it, ms. */
const NEAR_MS = 86_400_000;

/**
 * What the times say of failures and deploys; nothing more links them. `newSince`: the newest deploy before the first
 * failure, at most a day before it. `latest`: the newest deploy that happened between the first failure and now, and
 * whether messages failed after it. Times are RFC 3339 in UTC; future deploys are left out.
 */
export function relateToDeploys<Deploy extends DeployTime>(
  group: { firstSeenAt: string | null; lastSeenAt: string | null },
  deploys: readonly Deploy[],
  now: string,
): { newSince: Deploy | null; latest: { deploy: Deploy; stillFails: boolean } | null } {
  const { firstSeenAt, lastSeenAt } = group;
  if (firstSeenAt === null || lastSeenAt === null) return { newSince: null, latest: null };
  const past = deploys
    .filter(({ at }) => !isLater(at, now))
    .toSorted((one, other) => (isLater(one.at, other.at) ? -1 : 1));
  const before = past.find(({ at }) => !isLater(at, firstSeenAt));
  const near = before !== undefined && Date.parse(firstSeenAt) - Date.parse(before.at) <= NEAR_MS;
  const [newest] = past;
  const latest =
    newest !== undefined && isLater(newest.at, firstSeenAt)
      ? { deploy: newest, stillFails: isLater(lastSeenAt, newest.at) }
      : null;
  return { newSince: near ? before : null, latest };
}
