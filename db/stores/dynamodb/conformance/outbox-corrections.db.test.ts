import { describeCorrections } from "../../conformance/outbox-corrections.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeCorrections(dynamodbUnderTest);
