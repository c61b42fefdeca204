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
