import { describeCutActions } from "../../conformance/outbox-actions-cuts.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mysql")) describeCutActions(server);
