import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { rubyCases } from "./ruby-cases.ts";

testLibrariesOnAll(rubyCases);
