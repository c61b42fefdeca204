import { describeOutboxReader } from "../../conformance/outbox-reader.conformance.ts";
import { describeBlockedAggregates } from "../../conformance/outbox-reader-blocked.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

describeOutboxReader(mysqlUnderTest);
describeOutboxReader(mariadbUnderTest);
describeBlockedAggregates(mysqlUnderTest);
