import { describeRelayDoubt } from "../../conformance/relay/relay-doubt.conformance.ts";
import { describeRelaySettle } from "../../conformance/relay/relay-settle.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelaySettle(dynamodbUnderTest);
describeRelayDoubt(dynamodbUnderTest);
