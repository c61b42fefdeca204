import { describeInboxReader } from "../../conformance/inbox-reader.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeInboxReader(dynamodbUnderTest);
