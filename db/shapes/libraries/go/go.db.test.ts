import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { goCases } from "./go-cases.ts";

testLibrariesOnAll(goCases);
