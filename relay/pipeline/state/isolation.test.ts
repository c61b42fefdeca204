import { describe, expect, test } from "vitest";
import { Isolation } from "./isolation.ts";

function member(inFlight = 0) {
  const setIsolated = (on: boolean) => {
    one.held = on;
  };
  const one = { inFlight, held: false, setIsolated };
  return one;
}

describe("isolation", () => {
  test("begins once nothing of the process is with any sink, and lets everyone go on afterwards", async () => {
    const isolation = new Isolation();
    const [mine, other] = [member(), member(2)];
    isolation.join(mine);
    isolation.join(other);
    let inFlightWhenAlone = -1;
    const alone = isolation.alone(
      async () => {
        inFlightWhenAlone = other.inFlight;
      },
      () => false,
    );
    await Promise.resolve();
    expect([mine.held, other.held]).toEqual([true, true]);
    other.inFlight = 0;
    await alone;
    expect(inFlightWhenAlone).toBe(0);
    expect([mine.held, other.held]).toEqual([false, false]);
  });

  test("a relay that starts meanwhile waits too; two suspects take turns; one that fails does not stop the next", async () => {
    const isolation = new Isolation();
    const late = member();
    const order: string[] = [];
    const first = isolation.alone(
      async () => {
        isolation.join(late);
        order.push(`first, late held: ${late.held}`);
        throw new Error("no connection");
      },
      () => false,
    );
    const second = isolation.alone(
      async () => void order.push("second"),
      () => false,
    );
    await expect(first).rejects.toThrow("no connection");
    await second;
    expect(order).toEqual(["first, late held: true", "second"]);
    expect(late.held).toBe(false);
  });

  test("gives up waiting when its relay stops", async () => {
    const isolation = new Isolation();
    isolation.join(member(1));
    let stopped = false;
    let ran = false;
    const alone = isolation.alone(
      async () => {
        ran = true;
      },
      () => stopped,
    );
    stopped = true;
    await alone;
    expect(ran).toBe(false);
  });
});
