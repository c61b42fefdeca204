import { describeRelayStream } from "../../conformance/relay/relay-stream.conformance.ts";
import { describeRelayStreamClaim } from "../../conformance/relay/relay-stream-claim.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelayStream(postgresUnderTest);
describeRelayStreamClaim(postgresUnderTest);
