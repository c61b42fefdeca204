import { describeRelayClaim } from "../../conformance/relay/relay-claim.conformance.ts";
import { describeRelayLateRows } from "../../conformance/relay/relay-late-rows.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelayClaim(dynamodbUnderTest);
describeRelayLateRows(dynamodbUnderTest);
