import { expect, test } from "vitest";
import { ConnectionTurns, type RelayTurns } from "./connection-turns.ts";

/** Asks for a turn; `begun` lists those that have one, in their order. */
function asking() {
  const begun: string[] = [];
  const ask = (name: string, relay: RelayTurns, urgent = false) => {
    void relay.take(urgent).then(
      () => begun.push(name),
      (error: Error) => begun.push(`${name}: ${error.message}`),
    );
  };
  /** All that may begin has begun. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, ask, settled };
}

test("one relay takes only its share, and the others go on", async () => {
  const turns = new ConnectionTurns({ all: 10, each: 2 });
  const { begun, ask, settled } = asking();
  const [locked, other] = [turns.join(), turns.join()];
  for (const name of ["a", "b", "c"]) ask(name, locked);
  ask("d", other);
  await settled();
  expect(begun).toEqual(["a", "b", "d"]);
  locked.end();
  await settled();
  expect(begun).toEqual(["a", "b", "d", "c"]);
});

test("work that renews a lease begins while everything else waits, and goes first", async () => {
  const turns = new ConnectionTurns({ all: 4, each: 4 });
  const { begun, ask, settled } = asking();
  const [busy, calm] = [turns.join(), turns.join()];
  for (const name of ["a", "b", "c", "d"]) ask(name, busy);
  ask("e", calm);
  ask("renewed", calm, true);
  ask("renewed again", calm, true);
  await settled();
  expect(begun).toEqual(["a", "b", "c", "renewed"]);
  busy.end();
  await settled();
  expect(begun.slice(4)).toEqual(["renewed again"]);
});

test("a relay that leaves waits for its own turns, and gets no more", async () => {
  const turns = new ConnectionTurns({ all: 2, each: 1 });
  const { begun, ask, settled } = asking();
  const relay = turns.join();
  ask("a", relay);
  ask("b", relay);
  await settled();
  let left = false;
  const leaving = relay.leave().then(() => {
    left = true;
  });
  await settled();
  expect({ begun, left }).toEqual({ begun: ["a", "b: The connections of this relay are closed."], left: false });
  relay.end();
  await leaving;
  await expect(relay.take(true)).rejects.toThrow("closed");
});
