import { describeRelayClaim } from "../../conformance/relay/relay-claim.conformance.ts";
import { describeRelayLateRows } from "../../conformance/relay/relay-late-rows.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

for (const server of [mysqlUnderTest, mariadbUnderTest]) {
  describeRelayClaim(server);
  describeRelayLateRows(server);
}
