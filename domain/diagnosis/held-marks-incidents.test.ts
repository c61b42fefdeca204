import { expect, test } from "vitest";
import { OUTCOMES_UNWRITTEN, ROWS_LOCKED } from "../relay/unwritten-outcomes.ts";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, due, HOLDER, judged, relays, waits } from "./situation.fixture.ts";

const LOCKED_OUT = { lastErrorAt: ago(1), lastError: `${OUTCOMES_UNWRITTEN}${ROWS_LOCKED}` };

/** Marks that another session's lock keeps out. */
const INCIDENTS: Incident[] = [
  [
    "a lock of whose holder nothing is known",
    {
      figures: waits(9, 80, { outPerSecond: 0 }),
      facts: {
        waiting: due(9, 80),
        relays: relays({ lastPublishedAt: ago(90), settlingSince: ago(80), ...LOCKED_OUT }),
      },
    },
    "no_progress",
    "not_delivering",
    "fail",
    /^the relay cannot mark what it has published: another session holds a lock .* since 02:58:40 UTC; 9 wait$/,
  ],
  [
    "a lock on another table, which a trigger needs",
    {
      figures: waits(9, 80, { outPerSecond: 0 }),
      facts: {
        waiting: due(9, 80),
        relays: relays({ lastPublishedAt: ago(90), settlingSince: ago(80), ...LOCKED_OUT }),
        lockHolders: [{ ...HOLDER, rows: 0, blockedPids: [9], elsewhere: "the table stats" }],
      },
    },
    "locked",
    "not_delivering",
    "warn",
    /^billing-report \(pid 77\) holds the table stats locked, which the relay needs to mark what it has published since 02:58:30 UTC; 9 wait$/,
  ],
];

test.each(INCIDENTS)("%s", (...incident) => expectCauseFirst(...incident));

test.each([
  [
    "waits for a lock",
    { settlingSince: ago(6), ...LOCKED_OUT },
    /Otherwise no outage explains it; which session holds/,
  ],
  [
    "is silent",
    { heartbeatAt: ago(8) },
    /No failed head or lock explains it; the relay's errors are not known, because/,
  ],
])("while the relay %s, that is not excluded as what explains late messages", (_, relay, explanation) => {
  const { causes } = judged({
    figures: waits(9, 62),
    facts: {
      waiting: due(9, 62),
      relays: relays({ lastPublishedAt: ago(20), ...relay }),
      blocked: [],
      lockHolders: [],
    },
  });
  expect(causes.find(({ rule }) => rule === "overdue")?.diagnosis).toMatch(explanation);
});

const REFUSED = { lastErrorAt: ago(1), lastError: `${OUTCOMES_UNWRITTEN}permission denied for table outbox` };

test("late messages whose marks are refused have the advice for that refusal", () => {
  const { causes } = judged({
    figures: waits(9, 62),
    facts: { waiting: due(9, 62), relays: relays({ lastPublishedAt: ago(20), settlingSince: ago(4), ...REFUSED }) },
  });
  expect(causes.find(({ rule }) => rule === "overdue")?.nextStep).toMatch(/^Grant the relay's database user/);
});

test("a refusal is over once no row is without its mark, before the relay reports again", () => {
  const { causes } = judged({
    facts: { relays: relays({ lastPublishedAt: ago(1), settlingSince: ago(40), ...REFUSED }) },
  });
  expect(causes).toEqual([]);
});
