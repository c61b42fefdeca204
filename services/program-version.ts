import packageJson from "../package.json" with { type: "json" };

/** The version in package.json; `npm_package_version` is only set when started by npm. */
export const PROGRAM_VERSION: string = packageJson.version;
