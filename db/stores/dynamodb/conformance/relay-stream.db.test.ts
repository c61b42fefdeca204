import { describeRelayStream } from "../../conformance/relay/relay-stream.conformance.ts";
import { describeRelayStreamClaim } from "../../conformance/relay/relay-stream-claim.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelayStream(dynamodbUnderTest);
describeRelayStreamClaim(dynamodbUnderTest);
