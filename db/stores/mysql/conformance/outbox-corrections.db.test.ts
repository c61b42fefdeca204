import { describeCorrections } from "../../conformance/outbox-corrections.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) describeCorrections(server);
