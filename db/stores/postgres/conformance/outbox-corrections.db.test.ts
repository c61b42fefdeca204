import { describeCorrections } from "../../conformance/outbox-corrections.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeCorrections(postgresUnderTest);
