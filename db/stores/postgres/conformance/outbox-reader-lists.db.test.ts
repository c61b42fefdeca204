import { describeOutboxLists } from "../../conformance/outbox-reader-lists.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeOutboxLists(postgresUnderTest);
