import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take half a minute or more, longest first. Started last, one would keep a worker busy after the others
 * end.
 */
export const LONGEST = [
  "chaos/change-over/change-over.broker.test.ts",
  "db/stores/postgres/conformance/outbox-actions.db.test.ts",
  "db/stores/dynamodb/conformance/outbox-actions.db.test.ts",
  "db/stores/dynamodb/conformance/bulk-records.db.test.ts",
  "relay/tests/instances/crash.relay.test.ts",
  "db/stores/postgres/conformance/outbox-actions-cuts.db.test.ts",
  "db/stores/mysql/conformance/outbox-corrections.db.test.ts",
  "relay/tests/failures/route-breaker.relay.test.ts",
  "relay/tests/instances/sharing.relay.test.ts",
  "tests/brokers/brokers.broker.test.ts",
  "db/stores/mysql/conformance/outbox-actions.db.test.ts",
  "db/stores/mysql/read/hostile-ids.db.test.ts",
  "db/stores/dynamodb/conformance/outbox-reader.db.test.ts",
  "relay/tests/tables/cliffs.relay.test.ts",
  "db/embedded/start-embedded-postgres.db.test.ts",
  "relay/tests/tables/foreign.relay.test.ts",
  "db/stores/mysql/conformance/relay-stream.db.test.ts",
  "db/stores/postgres/conformance/relay-faults.db.test.ts",
  "services/silent-stores.db.test.ts",
  "db/stores/dynamodb/conformance/relay-faults.db.test.ts",
  "db/stores/postgres/conformance/bulk-records.db.test.ts",
  "db/stores/postgres/conformance/relay-stream.db.test.ts",
  "db/stores/postgres/conformance/outbox-corrections.db.test.ts",
  "db/stores/postgres/conformance/relay-settle-faults.db.test.ts",
  "services/operations/bulk/bulk-operations.db.test.ts",
  "db/stores/postgres/conformance/outbox-actions-races.db.test.ts",
  "scripts/stops-in-time.relay.test.ts",
  "db/shapes/libraries/node/node.db.test.ts",
  "relay/tests/tables/mapping-guard-running.relay.test.ts",
  "db/stores/dynamodb/conformance/relay-stream.db.test.ts",
  "db/shapes/libraries/jvm/jvm.db.test.ts",
  "db/shapes/libraries/dotnet/dotnet.db.test.ts",
  "db/stores/mysql/conformance/outbox-watch.db.test.ts",
  "relay/sinks/rabbitmq/rabbitmq-outages.broker.test.ts",
  "db/stores/postgres/conformance/relay-settle.db.test.ts",
  "relay/stream/mysql-stream.relay.test.ts",
  "db/stores/dynamodb/conformance/outbox-actions-cuts.db.test.ts",
  "db/stores/mysql/replication/log-server.db.test.ts",
  "relay/tests/instances/takeover.relay.test.ts",
  "db/embedded/damaged-data.db.test.ts",
  "db/stores/mysql/conformance/outbox-reader-lists.db.test.ts",
  "db/stores/dynamodb/conformance/relay-settle.db.test.ts",
  "chaos/repair/repair.relay.test.ts",
  "relay/stream/stream-alone.relay.test.ts",
  "relay/sinks/kafka/kafka-outage.broker.test.ts",
  "relay/tests/instances/dynamodb-crash.relay.test.ts",
  "chaos/chaos.relay.test.ts",
  "db/stores/postgres/conformance/outbox-watch.db.test.ts",
  "db/stores/mysql/conformance/outbox-actions-cuts.db.test.ts",
  "db/shapes/hand-made-claims.db.test.ts",
  "services/outboxes/message-states.db.test.ts",
  "db/stores/mysql/conformance/bulk-records.db.test.ts",
  "relay/stream/stream.relay.test.ts",
  "db/stores/mysql/connection/sessions.db.test.ts",
  "db/shapes/libraries/go/go.db.test.ts",
  "relay/tests/failures/failures.relay.test.ts",
  "db/stores/mysql/read/large-tables.db.test.ts",
  "relay/tests/instances/idle.relay.test.ts",
  "db/stores/dynamodb/conformance/relay-lease.db.test.ts",
  "db/stores/mysql/conformance/relay-faults.db.test.ts",
  "relay/tests/tables/pauses.relay.test.ts",
  "db/stores/dynamodb/conformance/outbox-actions-races.db.test.ts",
  "relay/tests/tables/mapping-guard.relay.test.ts",
  "db/stores/postgres/conformance/outbox-reader.db.test.ts",
  "services/operations/bulk/bulk-stores.db.test.ts",
];
/** The order after those: files that start processes, that need a broker, that need a database; then all others. */
const KINDS = [/\.relay\.test\./, /\.broker\.test\./, /\.db\.test\./];

/** Orders test files by how long they take, across projects, so that workers end at about the same time. */
export default class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    return sorted.sort((one, other) => groupOf(one) - groupOf(other) || rankOf(one) - rankOf(other));
  }
}

const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;

function rankOf({ moduleId, project }: TestSpecification): number {
  const place = LONGEST.indexOf(relative(project.config.root, moduleId));
  if (place >= 0) return place;
  const kind = KINDS.findIndex((pattern) => pattern.test(moduleId));
  return LONGEST.length + (kind < 0 ? KINDS.length : kind);
}
