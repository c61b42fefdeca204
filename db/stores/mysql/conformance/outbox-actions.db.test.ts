import { describePauses } from "../../conformance/outbox-actions-pauses.conformance.ts";
import { describeMovedRows } from "../../conformance/outbox-actions-rows.conformance.ts";
import { describeVerbs } from "../../conformance/outbox-actions-verbs.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) {
  describeVerbs(server);
  describeMovedRows(server);
  describePauses(server);
}
