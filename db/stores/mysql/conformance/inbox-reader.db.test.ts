import { describeInboxReader } from "../../conformance/inbox-reader.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

describeInboxReader(mysqlUnderTest);
describeInboxReader(mariadbUnderTest);
