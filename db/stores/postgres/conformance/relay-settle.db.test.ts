import { describeRelayDoubt } from "../../conformance/relay/relay-doubt.conformance.ts";
import { describeRelaySettle } from "../../conformance/relay/relay-settle.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelaySettle(postgresUnderTest);
describeRelayDoubt(postgresUnderTest);
