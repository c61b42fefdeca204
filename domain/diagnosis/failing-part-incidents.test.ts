import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, due, judged, RELAY, relays, waits } from "./situation.fixture.ts";

const NO_LEADER = "Kafka answered LEADER_NOT_AVAILABLE for partition 1 of the topic orders";

/** One part of the receiver fails, and others take messages. */
const INCIDENTS: Incident[] = [
  [
    "one partition has no leader: the others take messages, and their pace says nothing of what waits",
    {
      figures: waits(57, 70, { inPerSecond: 3, outPerSecond: 1.5, waitingBefore: 40 }),
      facts: {
        relays: relays({ inFlight: 57, lastError: NO_LEADER, lastErrorAt: ago(2), lastPublishedAt: ago(1) }),
        waiting: due(57, 70),
      },
    },
    "overdue",
    "in_part",
    "warn",
    /^some deliveries fail \(Kafka answered LEADER_NOT_AVAILABLE for partition 1 of the topic orders\), and messages have been due since 02:58:50 UTC; 57 wait; others flow$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test.each([
  [
    "a partition fails",
    { lastError: NO_LEADER, lastErrorAt: ago(2), lastPublishedAt: ago(1) },
    /^Bring back the brokers/,
  ],
  [
    "a subject has no stream",
    { lastError: 'No stream takes the subject "a".', lastErrorAt: ago(2), lastPublishedAt: ago(1) },
    /^Fix at the receiver what the error names; other messages get through/,
  ],
  [
    "some attempts get no answer in time",
    { lastError: "no answer within 2 s", lastErrorAt: ago(2), lastPublishedAt: ago(1) },
    /^See why the receiver takes so long: .* raise timeout/,
  ],
  [
    "the sink has confirmed nothing for a while",
    { lastPublishedAt: ago(9) },
    /^See whether the receiver works: .* was sent 6/,
  ],
] as const)("the advice on late messages where %s", (_, relay, advice) => {
  const { causes } = judged({
    figures: waits(30, 70, { inPerSecond: 3, outPerSecond: 1.7 }),
    facts: { relays: relays({ inFlight: 6, ...relay }), waiting: due(30, 70) },
  });
  expect(causes[0]).toMatchObject({ rule: "overdue", nextStep: expect.stringMatching(advice) });
});

test("one of two relays is silent, and what it last said of the sink does not blame the sink", () => {
  const frozen = { ...RELAY, heartbeatAt: ago(5), inFlight: 2, lastPublishedAt: ago(6) };
  const other = { ...RELAY, id: "b", pid: 77, host: "shop-2", lastPublishedAt: ago(1) };
  const { causes } = judged({
    figures: waits(18, 60, { inPerSecond: 6, outPerSecond: 4 }),
    facts: { relays: relays({}, { instances: [other, frozen] }), waiting: due(18, 60) },
  });
  expect(causes[0]).toMatchObject({
    rule: "overdue",
    sentence: expect.stringMatching(/; process 4242 on shop-1 was last heard 5\.0 s ago/),
    nextStep: expect.stringMatching(/^Check that the relay's process runs/),
  });
  expect(causes[0]?.sentence).not.toMatch(/the sink/);
});
