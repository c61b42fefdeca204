import { EVERYTHING } from "#tests/test-depth.ts";
import { describeBulkItems } from "../../conformance/bulk-items.conformance.ts";
import { describeBulkRecords } from "../../conformance/bulk-records.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const engine of serversFor("mariadb")) {
  describeBulkRecords(engine);
  describeBulkItems(engine, "timestamp");
  if (EVERYTHING) describeBulkItems(engine);
}
