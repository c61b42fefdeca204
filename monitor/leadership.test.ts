import { expect, test } from "vitest";
import { Leadership } from "./leadership.ts";

test("a lease that arrives while the monitor is being stopped is released, though nobody led with it", async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: granted, resolve: grant } = Promise.withResolvers<boolean>();
  const released: string[] = [];
  const leadership = new Leadership({
    records: {
      takeMonitorLease: () => {
        ask();
        return granted;
      },
      releaseMonitorLease: async (owner: string) => void released.push(owner),
    },
    ...{ owner: "me", leaseMs: 10_000, renewMs: 2_500 },
    lead: () => Promise.reject(new Error("It must not lead any more.")),
    onError: async () => undefined,
  });
  leadership.start();
  await asked;
  const stopped = leadership.stop();
  grant(true);
  await stopped;
  expect(released).toEqual(["me"]);
  expect(leadership.holdsLease).toBe(false);
});

test("work that outlasts the lease that was renewed meanwhile is not followed by a term without one", async () => {
  const { promise: denied, resolve: deny } = Promise.withResolvers<void>();
  const { promise: renewed, resolve: renew } = Promise.withResolvers<void>();
  const leaseMs = 300;
  let takes = 0;
  let terms = 0;
  const leadership = new Leadership({
    records: {
      takeMonitorLease: async () => {
        takes += 1;
        // Granted when the term has just ended.
        if (takes === 2) await renewed;
        if (takes > 2) deny();
        return takes <= 2;
      },
      releaseMonitorLease: async () => undefined,
    },
    ...{ owner: "me", leaseMs, renewMs: 10 },
    lead: async (signal) => {
      terms += 1;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      renew();
      await new Promise((resolve) => setTimeout(resolve, leaseMs));
    },
    onError: async () => undefined,
  });
  leadership.start();
  await denied;
  await leadership.stop();
  expect(terms).toBe(1);
});
