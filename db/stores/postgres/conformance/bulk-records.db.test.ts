import { EVERYTHING } from "#tests/test-depth.ts";
import { describeBulkItems } from "../../conformance/bulk-items.conformance.ts";
import { describeBulkRecords } from "../../conformance/bulk-records.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeBulkRecords(postgresUnderTest);
describeBulkItems(postgresUnderTest);
if (EVERYTHING) describeBulkItems(postgresUnderTest, "timestamp");
