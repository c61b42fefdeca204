import { describeInboxReader } from "../../conformance/inbox-reader.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeInboxReader(postgresUnderTest);
