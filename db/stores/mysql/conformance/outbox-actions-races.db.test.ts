import { describeRacingActions } from "../../conformance/outbox-actions-races.conformance.ts";
import { describeActionsDuringRelay } from "../../conformance/outbox-actions-relay.conformance.ts";
import { describeRetries } from "../../conformance/outbox-actions-retries.conformance.ts";
import { SERVERS_UNDER_FAULTS } from "./mysql-under-test.fixture.ts";

for (const server of SERVERS_UNDER_FAULTS) {
  describeRetries(server);
  describeRacingActions(server);
  describeActionsDuringRelay(server);
}
