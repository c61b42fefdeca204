import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, due, judged, RELAY, relays, waits } from "./situation.fixture.ts";

const ORDERLESS = { column: "seq", messages: 7, capped: false, oldestAt: ago(400) };
const REPLACED = {
  how: "renamed" as const,
  table: "shop.outbox",
  earlier: "shop._outbox_old",
  capped: false,
  maybePublished: false,
};
const STANDBY = { ...RELAY, id: "b", host: "shop-2", pid: 77, startedAt: ago(30), state: "standby" };

/** Messages without a place in the order, and a standby that would publish in another order or to another address. */
const INCIDENTS: Incident[] = [
  [
    "rows without a value in the order column, and nothing else waits",
    {
      figures: waits(7, 400, { outPerSecond: 0 }),
      facts: { waiting: due(7, 400), orderless: ORDERLESS, relays: relays({ lastPublishedAt: ago(390) }) },
    },
    "orderless",
    "in_part",
    "fail",
    /^7 messages have no value in seq, so a running relay does not find them since 02:53:20 UTC$/,
  ],
  [
    "the same while a few messages are on their way",
    {
      figures: waits(9, 80),
      facts: { waiting: { ...due(9, 80), overdue: 7 }, orderless: ORDERLESS },
    },
    "orderless",
    "in_part",
    "warn",
    /^7 messages have no value in seq/,
  ],
  [
    "a table that another one has replaced, with messages that were not copied",
    { facts: { leftBehind: { ...REPLACED, messages: 5 } } },
    "left_behind",
    "in_part",
    "fail",
    /^5 messages wait in shop\._outbox_old, which was this outbox's table until another table took its name$/,
  ],
  [
    "a partition that was detached with messages that were not sent",
    {
      facts: {
        leftBehind: { ...REPLACED, how: "detached", earlier: "shop.outbox_p07", messages: 1 },
      },
    },
    "left_behind",
    "in_part",
    "fail",
    /^1 message waits in shop\.outbox_p07, which was a partition of this outbox's table until it was detached$/,
  ],
  [
    "the same where published rows are deleted",
    { facts: { leftBehind: { ...REPLACED, messages: 1, maybePublished: true } } },
    "left_behind",
    "unknown",
    "warn",
    /^1 message waits in shop\._outbox_old, which [^;]+; shop\.outbox does not hold it, and whether it was published and deleted is not known$/,
  ],
  [
    "the same with a table that cannot be read",
    { facts: { leftBehind: { ...REPLACED, messages: null } } },
    "left_behind",
    "unknown",
    "warn",
    /^shop\._outbox_old was this outbox's table until another table took its name, and whether messages wait in it is not known$/,
  ],
  [
    "a standby that differs in relay.ordering from the one relay that reads the log",
    {
      facts: {
        relays: relays(
          {},
          {
            instances: [RELAY, { ...STANDBY, ordering: "none" }],
          },
        ),
      },
    },
    "relays_differ",
    "at_risk",
    "warn",
    /^relays of this outbox differ in relay\.ordering, and process 77 on shop-2 waits until process 4242 on shop-1 has stopped since 02:59:30 UTC$/,
  ],
  [
    "a standby whose configuration names another address",
    { facts: { relays: relays({}, { instances: [RELAY, { ...STANDBY, sinkAddress: "10.0.0.9:80" }] }) } },
    "relays_differ",
    "at_risk",
    "warn",
    /to gateway \(10\.0\.0\.9:80\) since 02:59:30 UTC; process 77 on shop-2 publishes nothing before process 4242 on shop-1 has stopped$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test.each(["renamed", "detached"] as const)("a %s table that nobody could read is looked into first", (how) => {
  const stepFor = (messages: number | null) =>
    judged({ facts: { leftBehind: { ...REPLACED, how, messages } } }).causes[0]?.nextStep;
  expect(stepFor(null)).toMatch(/^Before you drop anything, check whether messages wait in shop\._outbox_old\. /);
  expect(stepFor(3)).not.toMatch(/database user read/);
});
