import { describeCutActions } from "../../conformance/outbox-actions-cuts.conformance.ts";
import { postgresUnderTest } from "./postgres-under-test.fixture.ts";

describeCutActions(postgresUnderTest);
