import { describe, expect, test } from "vitest";
import {
  ago,
  BREAKER,
  type Change,
  DEAD,
  due,
  HEAD,
  HOLDER,
  judged,
  ROUTE,
  relays,
  waits,
} from "./situation.fixture.ts";
import type { CauseCode } from "./words.ts";

describe("one trouble is one cause", () => {
  test.each<[string, Change, CauseCode[]]>([
    [
      "an outage holds up what waits",
      {
        figures: waits(4_812, 400, { outPerSecond: 0 }),
        facts: { relays: relays({ breaker: BREAKER, lastPublishedAt: ago(400) }), waiting: due(4_812, 400) },
      },
      ["sink_unavailable"],
    ],
    [
      "a breaker of a relay that is gone says nothing: its end does",
      {
        figures: waits(10, 90),
        facts: { relays: relays({ breaker: BREAKER, heartbeatAt: ago(60) }), waiting: due(10, 90) },
      },
      ["no_relay_alive"],
    ],
    [
      "a session that holds locks is not named again as an old transaction",
      {
        facts: {
          lockHolders: [HOLDER],
          oldTransactions: [{ ...HOLDER, preparedId: null, holdsBackNewRows: true }],
        },
      },
      ["locked"],
    ],
    [
      "a session that has locked all tables keeps the relay from every write, and is not named twice",
      {
        facts: {
          relays: relays({ heartbeatAt: ago(40) }),
          readOnly: { reason: "backup (pid 77) has locked all tables", tried: false, leased: false, everywhere: true },
          lockHolders: [{ ...HOLDER, wholeTable: true }],
        },
      },
      ["read_only"],
    ],
    [
      "heads of a type whose route is broken",
      { facts: { relays: relays({ routes: [ROUTE] }), blocked: [{ ...HEAD, eventType: ROUTE.name }] } },
      ["route_failing"],
    ],
    [
      "both: paused, and nobody who could resume",
      {
        figures: waits(5, 20),
        facts: { relays: relays({ heartbeatAt: ago(40) }, { pause: { reason: "x", by: "y", until: null } }) },
      },
      ["no_relay_alive", "paused"],
    ],
    ["a producer that merely has the table open", { facts: { lockHolders: [{ ...HOLDER, rows: 0 }] } }, []],
    [
      "a head that has just failed, or that nobody waits for, is an ordinary retry",
      {
        facts: {
          blocked: [
            { ...HEAD, headCreatedAt: ago(3), firstFailedAt: ago(2) },
            { ...HEAD, waiting: 0 },
          ],
        },
      },
      [],
    ],
    [
      "an outbox that others relay needs no relay of ours",
      { settings: { mode: "observe" }, facts: { relays: null } },
      [],
    ],
    [
      "a relay that holds for its sink, or has just stopped doing so, is no sign of another relay",
      { facts: { relays: relays({ state: "holding", lastError: "connect ECONNREFUSED" }) } },
      [],
    ],
    [
      "dead letters below the limit, and a limit that is switched off",
      { figures: { dead: 500 }, facts: { dead: [DEAD] } },
      [],
    ],
  ])("%s", (_name, change, rules) => {
    expect(judged(change).rules).toEqual(rules);
  });
});
