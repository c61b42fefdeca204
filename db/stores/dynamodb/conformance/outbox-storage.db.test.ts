import { describeStorage } from "../../conformance/outbox-storage.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeStorage(dynamodbUnderTest);
