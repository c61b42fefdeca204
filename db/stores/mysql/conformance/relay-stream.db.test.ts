import { describeRelayStream } from "../../conformance/relay/relay-stream.conformance.ts";
import { describeRelayStreamClaim } from "../../conformance/relay/relay-stream-claim.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

for (const server of [mysqlUnderTest, mariadbUnderTest]) {
  describeRelayStream(server);
  describeRelayStreamClaim(server);
}
