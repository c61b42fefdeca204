import { describeRelaySettleFaults } from "../../conformance/relay/relay-settle-faults.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRelaySettleFaults(postgresUnderTest);
