import { describeRelayFaults } from "../../conformance/relay/relay-faults.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) {
  describeRelayFaults(server);
}
