import { describeRelayLease } from "../../conformance/relay/relay-lease.conformance.ts";
import { describeRelaySharing } from "../../conformance/relay/relay-sharing.conformance.ts";
import { describeRelaySuspects } from "../../conformance/relay/relay-suspects.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelayLease(postgresUnderTest);
describeRelaySharing(postgresUnderTest);
describeRelaySuspects(postgresUnderTest);
