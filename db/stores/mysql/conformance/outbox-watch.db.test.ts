import { describeOutboxWatch } from "../../conformance/outbox-watch.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

describeOutboxWatch(mysqlUnderTest);
describeOutboxWatch(mariadbUnderTest);
