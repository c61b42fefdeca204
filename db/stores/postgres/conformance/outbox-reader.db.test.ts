import { describeOutboxReader } from "../../conformance/outbox-reader.conformance.ts";
import { describeBlockedAggregates } from "../../conformance/outbox-reader-blocked.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeOutboxReader(postgresUnderTest);
describeBlockedAggregates(postgresUnderTest);
