import { describeOutboxWatch } from "../../conformance/outbox-watch.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeOutboxWatch(dynamodbUnderTest);
