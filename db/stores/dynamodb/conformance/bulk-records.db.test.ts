import { describeBulkItems } from "../../conformance/bulk-items.conformance.ts";
import { describeBulkRecords } from "../../conformance/bulk-records.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeBulkRecords(dynamodbUnderTest);
describeBulkItems(dynamodbUnderTest);
