import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { jvmCases } from "./jvm-cases.fixture.ts";

testLibrariesOnAll(jvmCases);
