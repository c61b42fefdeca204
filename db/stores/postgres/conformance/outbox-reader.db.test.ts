import { describeOutboxReader } from "../../conformance/outbox-reader.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeOutboxReader(postgresUnderTest);
