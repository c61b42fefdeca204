import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { dotnetCases } from "./dotnet-cases.fixture.ts";

testLibrariesOnAll(dotnetCases);
