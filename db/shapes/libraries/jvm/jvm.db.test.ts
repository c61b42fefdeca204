import { testLibrariesOnAll } from "../library-databases.fixture.ts";
import { gruelboxCase } from "./gruelbox.case.ts";

testLibrariesOnAll([gruelboxCase]);
