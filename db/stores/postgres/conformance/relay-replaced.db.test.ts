import { describeRelayReplaced } from "../../conformance/relay/relay-replaced.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelayReplaced(postgresUnderTest);
