import { describeOutboxWatch } from "../../conformance/outbox-watch.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) describeOutboxWatch(server);
