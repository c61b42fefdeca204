import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, type Change, CONNECTOR, CONNECTOR_SLOT, judged, relays } from "./situation.fixture.ts";

/** An outbox that Debezium publishes, with a connector or a slot that differ from healthy ones. */
function debezium(connector: Partial<typeof CONNECTOR> = {}, slot: Partial<typeof CONNECTOR_SLOT> = {}): Change {
  return {
    settings: { mode: "operate", sink: null, connector: "orders-connector" },
    facts: {
      relays: { ...relays(), instances: [] },
      connector: { ...CONNECTOR, ...connector },
      connectorSlot: { ...CONNECTOR_SLOT, ...slot },
    },
  };
}

const task = (state: string, trace: string | null = null) => [{ id: 0, state, trace }];
const TRACE = "org.apache.kafka.connect.errors.ConnectException: slot is in use\n\tat io.debezium.X";
const unreachable = {
  kind: "unreachable" as const,
  message: "Kafka Connect at http://connect:8083/ cannot be reached: x.",
};
const absent = { kind: "absent" as const, message: "Kafka Connect has no connector named orders-connector." };

const INCIDENTS: Incident[] = [
  [
    "a task failed",
    debezium({ tasks: task("FAILED", TRACE) }),
    "connector",
    "not_delivering",
    "fail",
    /^task 0 of .*: org\.apache.*slot is in use; its slot keeps 3 MB/,
  ],
  [
    "paused, and every state of the database looks normal",
    debezium({ state: "PAUSED", tasks: task("PAUSED") }, { lagBytes: 104e6 }),
    "connector",
    "paused",
    "warn",
    /is paused since .*; its slot keeps 104 MB of log/,
  ],
  [
    "paused until the disk is at risk",
    debezium({ state: "PAUSED", tasks: task("PAUSED") }, { lagBytes: 11e9 }),
    "connector",
    "paused",
    "fail",
    /11 GB/,
  ],
  [
    "stopped",
    debezium({ state: "STOPPED", tasks: [] }, { active: false }),
    "connector",
    "paused",
    "warn",
    /is stopped/,
  ],
  [
    "gone from Connect",
    debezium({ problem: absent, state: null, tasks: [] }),
    "connector",
    "not_delivering",
    "fail",
    /has no connector/,
  ],
  [
    "Connect cannot be reached",
    debezium({ problem: unreachable, state: null, tasks: [] }),
    "connector",
    "unknown",
    "warn",
    /cannot be read/,
  ],
  [
    "a connector without a running task",
    debezium({ tasks: task("UNASSIGNED") }),
    "connector",
    "not_delivering",
    "warn",
    /none of its tasks/,
  ],
  [
    "nobody reads the slot",
    debezium({}, { active: false }),
    "connector_slot",
    "not_delivering",
    "fail",
    /nobody reads the slot orders_slot/,
  ],
  [
    "the slot is gone",
    debezium({}, { found: false, active: false, lagBytes: null }),
    "connector_slot",
    "not_delivering",
    "fail",
    /has no slot orders_slot/,
  ],
  [
    "the slot is lost",
    debezium({}, { active: false, walStatus: "lost", lagBytes: null }),
    "connector_slot",
    "not_delivering",
    "fail",
    /has removed log/,
  ],
  ["far behind", debezium({}, { lagBytes: 2e9 }), "connector_slot", "at_risk", "warn", /is behind/],
  [
    "rows arrive and the offset does not advance",
    debezium({ stalledSince: ago(200) }),
    "connector_slot",
    "late",
    "warn",
    /has not moved since/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test.each([
  ["paused", { state: "PAUSED", tasks: task("PAUSED") }],
  ["failed", { tasks: task("FAILED", "java.io.EOFException") }],
  ["unreachable", { problem: unreachable, state: null, tasks: [] }],
])("where the server removes its log by age, a connector that is %s is told nothing of a slot", (word, connector) => {
  const change = debezium({ ...connector, slot: null, logKept: false });
  const [cause] = judged({ ...change, facts: { ...change.facts, connectorSlot: null } }).causes;
  const text = JSON.stringify(cause);
  expect(text).not.toMatch(/slot|disk/);
  if (word !== "unreachable") expect(text).toContain("removes its log by age");
});

test("a server's setting that keeps rows from the connector is a failure, although everything runs", () => {
  const change = debezium({ slot: null, logKept: false });
  const hidden = { name: "log_bin_compress", value: "ON", right: "OFF", effect: "rows are passed over" };
  const { causes } = judged({ ...change, facts: { ...change.facts, connectorSlot: null, hidingSettings: [hidden] } });
  expect(causes).toMatchObject([
    {
      rule: "connector",
      key: "hidden-rows",
      severity: "fail",
      sentence: expect.stringContaining("log_bin_compress is ON and must be OFF"),
    },
  ]);
});

test("a connector that runs is no cause, and the verdict does not say that nothing waits", () => {
  const { causes, verdict } = judged(debezium());
  expect(causes).toEqual([]);
  expect(verdict).toMatchObject({ title: "Within its limits" });
  expect(verdict.evidence).toContain("The connector orders-connector publishes; 12 kB of log is not confirmed.");
  expect(verdict.evidence).not.toContain("Nothing waits");
});

test("Connect that cannot be reached hides neither a slot that nobody reads nor one that is lost", () => {
  const gone = debezium({ problem: unreachable, state: null, tasks: [] }, { active: false });
  expect(judged(gone).rules).toEqual(["connector_slot", "connector"]);
  const failed = debezium({ tasks: task("FAILED", TRACE) }, { active: false });
  expect(judged(failed).rules).toEqual(["connector"]);
});

test("a foreign slot of the connector is not judged a second time", () => {
  const change = debezium({}, { lagBytes: 2e9 });
  const { dropStatement, ...slot } = { ...CONNECTOR_SLOT, dropStatement: "SELECT 1", lagBytes: 2e9 };
  const { rules } = judged({ ...change, facts: { ...change.facts, foreignSlots: [{ ...slot, dropStatement }] } });
  expect(rules).toEqual(["connector_slot"]);
});

test("without Connect's answer the slot is not judged either way", () => {
  const change = debezium();
  const { unread } = judged({ ...change, facts: { ...change.facts, connector: undefined } as Change["facts"] });
  expect(unread).toContain("connector");
});

test("a pause that keeps relays away is no cause: the connector does not obey it", () => {
  const pause = { reason: "change-over", by: "ana", until: null };
  const change = debezium();
  const facts = { ...change.facts, relays: { ...relays({}, { pause }), instances: [] } };
  expect(judged({ ...change, facts }).rules).toEqual([]);
});
