import { describeStoreRecords } from "../../conformance/store-records.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeStoreRecords(dynamodbUnderTest);
