import { describeCorrections } from "../../conformance/outbox-corrections.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

describeCorrections(mysqlUnderTest);
describeCorrections(mariadbUnderTest);
