import { expect, test } from "vitest";
import type { OtherConnector } from "./facts/connector.ts";
import type { LogReader } from "./facts/log-readers.ts";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, type Change, CONNECTOR, CONNECTOR_SLOT, judged, RELAY, relays, SLOT } from "./situation.fixture.ts";

const READER: LogReader = {
  slot: "billing_slot",
  pid: 91,
  user: "billing",
  applicationName: "Debezium Streaming",
  clientAddress: "10.0.0.9",
  connectedAt: ago(600),
  publications: ["billing_outbox"],
};
const OTHER: OtherConnector = { connector: "billing", state: "RUNNING", slot: "billing_slot", publishes: true };
const MARKS = { messages: 12, capped: false, column: "published_at", lastAt: ago(2) };
const OWN: LogReader = { ...READER, slot: "orders_slot" };

/** A healthy outbox that a connector publishes, and what else was read. */
function connected(facts: Change["facts"] = {}, others: OtherConnector[] | null = []): Change {
  return {
    settings: { mode: "operate", sink: null, connector: "orders-connector" },
    facts: {
      relays: { ...relays(), instances: [] },
      connector: { ...CONNECTOR, others },
      connectorSlot: CONNECTOR_SLOT,
      logReaders: { readers: [OWN], hidden: [] },
      freshMarks: { ...MARKS, messages: 0, lastAt: null },
      ...facts,
    },
  };
}
const withReader = (reader = READER) => ({ logReaders: { readers: [OWN, reader], hidden: [] } });

const INCIDENTS: Incident[] = [
  [
    "a worker with the settings from before the change-over publishes beside the connector",
    connected({ relays: relays() }),
    "second_publisher",
    "at_risk",
    "warn",
    /^our relay at shop-1 \(process 4242\) publishes this outbox in addition to the connector orders-connector since .*twice/,
  ],
  [
    "such a worker has found nothing to publish yet",
    connected({ relays: relays({ lastPublishedAt: ago(400) }) }),
    "second_publisher",
    "at_risk",
    "warn",
    /is ready to publish this outbox in addition to/,
  ],
  [
    "a foreign poller marks rows",
    connected({ freshMarks: MARKS }),
    "second_publisher",
    "at_risk",
    "warn",
    /^something other than the connector orders-connector marks rows of this table as published since .*; 12 messages in the/,
  ],
  [
    "another connector of the same Kafka Connect publishes the table",
    connected(withReader(), [OTHER]),
    "second_publisher",
    "at_risk",
    "warn",
    /^the connector billing publishes this table in addition to the connector orders-connector/,
  ],
  [
    "a session of another program gets the table's rows",
    connected(withReader()),
    "second_publisher",
    "at_risk",
    "warn",
    /^Debezium Streaming \(pid 91\) also gets the rows .* slot billing_slot since .*; whether it publishes them is not known/,
  ],
  [
    "a session gets the rows of a table that our relay publishes",
    { facts: withReader() },
    "second_publisher",
    "at_risk",
    "warn",
    /slot/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

const rules = (change: Change) => judged(change).rules;

test("the connector alone is no second publisher", () => {
  const { causes, unread } = judged(connected());
  expect([causes, unread]).toEqual([[], []]);
});

test("a paused relay, and one that rests, publish nothing", () => {
  const pause = { reason: "change-over", by: "ana", until: null };
  expect(rules(connected({ relays: relays({}, { pause }) }))).toEqual([]);
  expect(rules(connected({ relays: relays({ state: "standby" }) }))).toEqual([]);
  expect(rules(connected({ relays: relays({ heartbeatAt: ago(60) }) }))).toEqual([]);
});

test("marks of our own living relay are one problem with it", () => {
  expect(judged(connected({ relays: relays(), freshMarks: MARKS })).causes.map(({ key }) => key)).toEqual([
    `relay ${RELAY.id}`,
  ]);
});

test("marks of our own relay that was stopped or paused a moment ago are nobody else's", () => {
  const pause = { reason: "change-over", by: "ana", until: null };
  const stopped = { state: "stopped", heartbeatAt: ago(10), lastPublishedAt: ago(11) };
  const killed = { heartbeatAt: ago(50), lastPublishedAt: ago(50) };
  const freshMarks = { ...MARKS, lastAt: ago(11) };
  for (const ours of [relays(stopped), relays(killed), relays({}, { pause }), relays({ state: "standby" })])
    expect(rules(connected({ relays: ours, freshMarks }))).toEqual([]);
  const longAgo = relays({ ...stopped, lastPublishedAt: ago(90) });
  expect(rules(connected({ relays: longAgo, freshMarks }))).toEqual(["second_publisher"]);
});

test("a connector is named once, by its name or by its slot", () => {
  expect(rules(connected(withReader(), [OTHER]))).toEqual(["second_publisher"]);
  expect(rules(connected(withReader(), [{ ...OTHER, publishes: false }]))).toEqual([]);
  const { causes } = judged(connected(withReader(), [{ ...OTHER, publishes: null }]));
  expect(causes.map(({ key }) => key)).toEqual(["slot billing_slot"]);
});

test("a connector that does not run publishes nothing now", () => {
  expect(rules(connected({}, [{ ...OTHER, state: "PAUSED" }]))).toEqual([]);
});

test("a reader that the configuration names is expected", () => {
  const change = connected(withReader());
  expect(rules({ ...change, settings: { ...change.settings, otherReaders: ["billing_slot"] } })).toEqual([]);
});

test("an outbox that is only watched has no publisher that another could be second to", () => {
  expect(rules({ settings: { mode: "observe" }, facts: withReader() })).toEqual([]);
});

test.each([
  ["Connect does not list its connectors", connected({}, null)],
  ["a session's command may not be read", connected({ logReaders: { readers: [], hidden: ["x_slot"] } })],
  [
    "it is not known which slot is the connector's",
    connected({ connector: { ...CONNECTOR, slot: null }, ...withReader() }),
  ],
])("the rule is not called checked where %s", (_name, change) => {
  const { causes, unread } = judged(change);
  expect([causes, unread]).toEqual([[], ["second_publisher"]]);
});

test("a session that reads our relay's own slot is told from one with a slot of its own", () => {
  const [cause] = judged({
    facts: {
      relays: relays({ stream: { ...SLOT, lagBytes: 20_000, connected: false } }),
      logReaders: { readers: [{ ...READER, slot: SLOT.slot }], hidden: [] },
    },
  }).causes.filter(({ rule }) => rule === "second_publisher");
  expect(cause?.sentence).toMatch(
    /^Debezium Streaming \(pid 91\) reads our relay's slot orders_slot since .*; our relay cannot read the log$/,
  );
  expect(cause?.nextStep).toMatch(/^Stop that program, or give it a slot of its own/);
  expect(cause?.nextStep).not.toMatch(/otherReaders/);
});
