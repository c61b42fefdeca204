import { describeRelayFaults } from "../../conformance/relay/relay-faults.conformance.ts";
import { SERVERS_UNDER_FAULTS } from "./mysql-under-test.fixture.ts";

for (const server of SERVERS_UNDER_FAULTS) {
  describeRelayFaults(server);
}
