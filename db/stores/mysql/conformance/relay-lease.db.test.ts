import { describeRelayLease } from "../../conformance/relay/relay-lease.conformance.ts";
import { describeRelaySharing } from "../../conformance/relay/relay-sharing.conformance.ts";
import { describeRelaySuspects } from "../../conformance/relay/relay-suspects.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mariadb")) {
  describeRelayLease(server);
  describeRelaySharing(server);
  describeRelaySuspects(server);
}
