import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { pythonCases } from "./python-cases.ts";

testLibrariesOnAll(pythonCases);
