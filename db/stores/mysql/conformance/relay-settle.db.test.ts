import { describeRelayDoubt } from "../../conformance/relay/relay-doubt.conformance.ts";
import { describeRelaySettle } from "../../conformance/relay/relay-settle.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mariadb")) {
  describeRelaySettle(server);
  describeRelayDoubt(server);
}
