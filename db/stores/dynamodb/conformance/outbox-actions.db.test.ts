import { describePauses } from "../../conformance/outbox-actions-pauses.conformance.ts";
import { describeRetries } from "../../conformance/outbox-actions-retries.conformance.ts";
import { describeMovedRows } from "../../conformance/outbox-actions-rows.conformance.ts";
import { describeVerbs } from "../../conformance/outbox-actions-verbs.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeVerbs(dynamodbUnderTest);
describeMovedRows(dynamodbUnderTest);
describeRetries(dynamodbUnderTest);
describePauses(dynamodbUnderTest);
