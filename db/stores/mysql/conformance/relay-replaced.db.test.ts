import { describeRelayReplaced } from "../../conformance/relay/relay-replaced.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mariadb")) {
  describeRelayReplaced(server);
}
