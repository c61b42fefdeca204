import { describeRelayClaim } from "../../conformance/relay/relay-claim.conformance.ts";
import { describeRelayLateRows } from "../../conformance/relay/relay-late-rows.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mariadb")) {
  describeRelayClaim(server);
  describeRelayLateRows(server);
}
