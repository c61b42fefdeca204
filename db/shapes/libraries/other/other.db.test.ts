import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { otherCases } from "./other-cases.ts";

testLibrariesOnAll(otherCases);
