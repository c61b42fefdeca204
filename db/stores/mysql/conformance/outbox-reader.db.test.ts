import { describeOutboxReader } from "../../conformance/outbox-reader.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

describeOutboxReader(mysqlUnderTest);
describeOutboxReader(mariadbUnderTest);
