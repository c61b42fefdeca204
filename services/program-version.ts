import packageJson from "../package.json" with { type: "json" };

/** The version in package.json, however the program was started: npm alone sets `npm_package_version`. */
export const PROGRAM_VERSION: string = packageJson.version;
