import { describeRelayChangedTable } from "../../conformance/relay/relay-changed-table.conformance.ts";
import { describeRelayRetries } from "../../conformance/relay/relay-retries.conformance.ts";
import { describeRelayViews } from "../../conformance/relay/relay-views.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) {
  describeRelayRetries(server);
  describeRelayViews(server);
  describeRelayChangedTable(server);
}
