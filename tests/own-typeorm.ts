/**
 * Runs before each test file. All versions of TypeORM keep decorators' metadata in one global that only the same
 * version can read, and test files with different versions share a process.
 */
Reflect.deleteProperty(globalThis, "typeormMetadataArgsStorage");
