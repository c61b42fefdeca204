import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { phpCases } from "./php-cases.ts";

testLibrariesOnAll(phpCases);
