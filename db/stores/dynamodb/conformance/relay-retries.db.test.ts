import { describeRelayChangedTable } from "../../conformance/relay/relay-changed-table.conformance.ts";
import { describeRelayRetries } from "../../conformance/relay/relay-retries.conformance.ts";
import { describeRelayViews } from "../../conformance/relay/relay-views.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeRelayRetries(dynamodbUnderTest);
describeRelayViews(dynamodbUnderTest);
describeRelayChangedTable(dynamodbUnderTest);
