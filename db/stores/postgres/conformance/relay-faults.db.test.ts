import { describeRelayFaults } from "../../conformance/relay/relay-faults.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelayFaults(postgresUnderTest);
