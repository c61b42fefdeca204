import { describeStoreRecords } from "../../conformance/store-records.conformance.ts";
import { describeRelayRecords } from "../../conformance/store-records-relays.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeStoreRecords(postgresUnderTest);
describeRelayRecords(postgresUnderTest);
