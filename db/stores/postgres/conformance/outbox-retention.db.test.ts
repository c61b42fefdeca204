import { describeInboxRetention } from "../../conformance/inbox-retention.conformance.ts";
import { describeRetention } from "../../conformance/outbox-retention.conformance.ts";
import { describeStorage } from "../../conformance/outbox-storage.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeRetention(postgresUnderTest);
describeStorage(postgresUnderTest);
describeInboxRetention(postgresUnderTest);
