import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { cdcCases } from "./cdc-cases.fixture.ts";

testLibrariesOnAll(cdcCases);
