import { describePauses } from "../../conformance/outbox-actions-pauses.conformance.ts";
import { describeMovedRows } from "../../conformance/outbox-actions-rows.conformance.ts";
import { describeVerbs } from "../../conformance/outbox-actions-verbs.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

for (const server of [mysqlUnderTest, mariadbUnderTest]) {
  describeVerbs(server);
  describeMovedRows(server);
  describePauses(server);
}
