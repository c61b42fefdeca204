import { describeRacingActions } from "../../conformance/outbox-actions-races.conformance.ts";
import { describeActionsDuringRelay } from "../../conformance/outbox-actions-relay.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRacingActions(dynamodbUnderTest);
describeActionsDuringRelay(dynamodbUnderTest);
