import { describeRelayDoubt } from "../../conformance/relay/relay-doubt.conformance.ts";
import { describeRelaySettle } from "../../conformance/relay/relay-settle.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

for (const server of [mysqlUnderTest, mariadbUnderTest]) {
  describeRelaySettle(server);
  describeRelayDoubt(server);
}
