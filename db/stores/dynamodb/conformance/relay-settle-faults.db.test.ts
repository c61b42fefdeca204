import { describeRelaySettleFaults } from "../../conformance/relay/relay-settle-faults.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelaySettleFaults(dynamodbUnderTest);
