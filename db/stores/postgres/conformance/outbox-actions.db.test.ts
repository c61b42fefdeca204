import { describePauses } from "../../conformance/outbox-actions-pauses.conformance.ts";
import { describeMovedRows } from "../../conformance/outbox-actions-rows.conformance.ts";
import { describeVerbs } from "../../conformance/outbox-actions-verbs.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeVerbs(postgresUnderTest);
describeMovedRows(postgresUnderTest);
describePauses(postgresUnderTest);
