import { describeRelayReplaced } from "../../conformance/relay/relay-replaced.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelayReplaced(dynamodbUnderTest);
