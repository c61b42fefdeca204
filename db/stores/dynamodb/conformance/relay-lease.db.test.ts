import { describeRelayLease } from "../../conformance/relay/relay-lease.conformance.ts";
import { describeRelaySharing } from "../../conformance/relay/relay-sharing.conformance.ts";
import { describeRelaySuspects } from "../../conformance/relay/relay-suspects.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelayLease(dynamodbUnderTest);
describeRelaySharing(dynamodbUnderTest);
describeRelaySuspects(dynamodbUnderTest);
