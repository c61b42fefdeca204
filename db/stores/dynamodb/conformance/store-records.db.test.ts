import { describeStoreRecords } from "../../conformance/store-records.conformance.ts";
import { describeRelayRecords } from "../../conformance/store-records-relays.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeStoreRecords(dynamodbUnderTest);
describeRelayRecords(dynamodbUnderTest);
