import { describeOutboxWatch } from "../../conformance/outbox-watch.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeOutboxWatch(postgresUnderTest);
