import { describeOutboxLists } from "../../conformance/outbox-reader-lists.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

describeOutboxLists(mysqlUnderTest);
describeOutboxLists(mariadbUnderTest);
