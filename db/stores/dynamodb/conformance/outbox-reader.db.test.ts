import { describeOutboxReader } from "../../conformance/outbox-reader.conformance.ts";
import { describeBlockedAggregates } from "../../conformance/outbox-reader-blocked.conformance.ts";
import { describeOutboxLists } from "../../conformance/outbox-reader-lists.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeOutboxReader(dynamodbUnderTest);
describeOutboxLists(dynamodbUnderTest);
describeBlockedAggregates(dynamodbUnderTest);
