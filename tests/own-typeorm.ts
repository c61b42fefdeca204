/**
 * Runs before each test file. All versions of TypeORM keep what decorators told them in one global, which none but its own version
 * can read, and test files with different versions share a process.
 */
Reflect.deleteProperty(globalThis, "typeormMetadataArgsStorage");
