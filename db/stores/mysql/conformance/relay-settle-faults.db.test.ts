import { describeRelaySettleFaults } from "../../conformance/relay/relay-settle-faults.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) {
  describeRelaySettleFaults(server);
}
