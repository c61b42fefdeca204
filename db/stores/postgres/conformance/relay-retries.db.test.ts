import { describeRelayChangedTable } from "../../conformance/relay/relay-changed-table.conformance.ts";
import { describeRelayRetries } from "../../conformance/relay/relay-retries.conformance.ts";
import { describeRelayViews } from "../../conformance/relay/relay-views.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelayRetries(postgresUnderTest);
describeRelayViews(postgresUnderTest);
describeRelayChangedTable(postgresUnderTest);
