import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { nodeCases } from "./node-cases.ts";

testLibrariesOnAll(nodeCases);
