import { expect, test } from "vitest";
import { NOTHING_CLAIMED, OUTCOMES_UNWRITTEN, STORE_SILENT } from "../relay/unwritten-outcomes.ts";
import { ago, due, judged, relays, waits } from "./situation.fixture.ts";

/** Relays that are expected back within seconds, while messages are already over the limit. */
const BACK_AGAIN = [
  [
    "the database answers again",
    { heartbeatAt: ago(303) },
    { seconds: 300, endedSeconds: 2 },
    /^the database answers again, but no relay has reported yet/,
  ],
  [
    "the table can be read again, and the relay has come back before it takes the outbox",
    { state: "standby", heartbeatAt: ago(1), lastPublishedAt: ago(303) },
    { seconds: 300, endedSeconds: 7, of: "table" },
    /^the outbox can be read again, but no relay has resumed yet/,
  ],
  ["a deploy", { state: "stopped", heartbeatAt: ago(3) }, null, /^the relay is restarting/],
] as const;

test.each(BACK_AGAIN)(
  "%s: why nothing goes out comes first, and lateness is not unexplained",
  (_, relay, outage, sentence) => {
    const { causes, verdict } = judged({
      figures: waits(81, 302),
      ...(outage ? { outage } : {}),
      facts: { relays: relays(relay), waiting: due(81, 302) },
    });
    expect(causes.map(({ rule }) => rule)).toEqual(["no_relay_alive"]);
    expect(verdict).toMatchObject({ status: "fail", word: "late" });
    expect(verdict.cause).toMatch(sentence);
  },
);

test.each(BACK_AGAIN)("%s: nothing is late, and it is only at risk", (_, relay, outage, sentence) => {
  const { verdict } = judged({
    figures: waits(4, 2),
    ...(outage ? { outage } : {}),
    facts: { relays: relays(relay), waiting: due(4, 2) },
  });
  expect(verdict).toMatchObject({ status: "warn", word: "at_risk", cause: expect.stringMatching(sentence) });
});

test.each([
  ["has just taken the outbox again", 34, []],
  ["has had the time to take it and to publish", 81, ["no_progress"]],
])("the table can be read again, and the relay %s", (_, endedSeconds, rules) => {
  const { causes } = judged({
    figures: waits(81, 302),
    outage: { seconds: 300, endedSeconds, of: "table" },
    facts: { relays: relays({ heartbeatAt: ago(1), lastPublishedAt: ago(380) }), waiting: due(81, 302) },
  });
  expect(causes.map(({ rule }) => rule).filter((rule) => rule === "no_progress")).toEqual(rules);
});

test("the last error of a relay that is expected back has its time, for it may be over", () => {
  const { causes } = judged({
    figures: waits(81, 302),
    outage: { seconds: 300, endedSeconds: 2 },
    facts: {
      relays: relays({ heartbeatAt: ago(303), lastError: "permission denied", lastErrorAt: ago(3000) }),
      waiting: due(81, 302),
    },
  });
  expect(causes[0]?.evidence).toContainEqual({ label: "Last error", value: "permission denied" });
  expect(causes[0]?.evidence).toContainEqual({ label: "Last error at", value: "2026-11-21 02:10:00 UTC" });
});

test.each([
  [
    "no relay ran",
    {},
    { startedAt: ago(5) },
    /\. No relay that runs now had started before 2026-11-21 02:59:55 UTC, when/,
  ],
  [
    "the table could not be used",
    { outage: { seconds: 60, endedSeconds: 30, of: "table" } as const },
    {},
    /\. From 2026-11-21 02:58:30 UTC to 2026-11-21 02:59:30 UTC the console could not use the outbox's table\.$/,
  ],
  ["all could be used", {}, {}, /No failed head, lock or outage explains it\.$/],
])("messages became due while %s: that explains them", (_, change, relay, explanation) => {
  const { causes } = judged({
    figures: waits(9, 62),
    ...change,
    facts: {
      relays: relays({ lastPublishedAt: ago(20), ...relay }),
      waiting: due(9, 62),
      blocked: [],
      lockHolders: [],
    },
  });
  expect(causes.find(({ rule }) => rule === "overdue")?.diagnosis).toMatch(explanation);
});

/** A heartbeat may come first, still with the errors of the outage. */
test.each([
  ["claim", { lastError: `${NOTHING_CLAIMED}${STORE_SILENT} (ECONNREFUSED)` }],
  ["mark", { lastError: `${OUTCOMES_UNWRITTEN}${STORE_SILENT} (ECONNREFUSED)`, settlingSince: ago(30) }],
])("a relay that could not %s while the database was away is not said to be unable now", (_, relay) => {
  const rulesAt = (endedSeconds: number, lastErrorAt: string) =>
    judged({
      figures: waits(40, 21),
      outage: { seconds: 20, endedSeconds },
      facts: {
        relays: relays({ heartbeatAt: ago(0.5), lastPublishedAt: ago(31), lastErrorAt, ...relay }),
        waiting: due(40, 21),
      },
    }).causes.map(({ rule }) => rule);
  expect(rulesAt(2, ago(3))).not.toContain("no_progress");
  expect(rulesAt(2, ago(1))).toContain("no_progress");
  expect(rulesAt(11, ago(12))).toContain("no_progress");
});
