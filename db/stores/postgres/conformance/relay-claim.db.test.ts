import { describeRelayClaim } from "../../conformance/relay/relay-claim.conformance.ts";
import { describeRelayLateRows } from "../../conformance/relay/relay-late-rows.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelayClaim(postgresUnderTest);
describeRelayLateRows(postgresUnderTest);
