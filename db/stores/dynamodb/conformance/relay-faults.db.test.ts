import { describeRelayFaults } from "../../conformance/relay/relay-faults.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelayFaults(dynamodbUnderTest);
