import { describeRacingActions } from "../../conformance/outbox-actions-races.conformance.ts";
import { describeActionsDuringRelay } from "../../conformance/outbox-actions-relay.conformance.ts";
import { describeRetries } from "../../conformance/outbox-actions-retries.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRetries(postgresUnderTest);
describeRacingActions(postgresUnderTest);
describeActionsDuringRelay(postgresUnderTest);
