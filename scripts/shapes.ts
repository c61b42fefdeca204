import { describeLibraries } from "./describe-libraries.ts";

process.stdout.write(describeLibraries());
