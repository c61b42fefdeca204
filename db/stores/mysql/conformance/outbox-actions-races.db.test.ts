import { describeRacingActions } from "../../conformance/outbox-actions-races.conformance.ts";
import { describeActionsDuringRelay } from "../../conformance/outbox-actions-relay.conformance.ts";
import { describeRetries } from "../../conformance/outbox-actions-retries.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) {
  describeRetries(server);
  describeRacingActions(server);
  describeActionsDuringRelay(server);
}
