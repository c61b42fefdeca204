// biome-ignore-all format: what follows is what `prisma generate` writes
/*
 * The part of a generated client that runs, for the tests of the adapter: the generator itself downloads a program that tests
 * may not have. Made by Prisma 7.10.1 with the generator "prisma-client" from
 *
 *     model Order {
 *       id    String @id
 *       total Int
 *
 *       @@map("orders")
 *     }
 *
 *     model Invoice {
 *       orderId String @id @map("order_id")
 *       total   Int
 *
 *       @@map("invoices")
 *     }
 */
import { PrismaPg } from "@prisma/adapter-pg";
import * as runtime from "@prisma/client/runtime/client";

interface Model<Row> {
  create(input: { data: Row }): Promise<unknown>;
}

/** The generated client's type, as far as tests and the example use it. */
export interface PrismaClient {
  order: Model<{ id: string; total: number }>;
  invoice: Model<{ orderId: string; total: number }>;
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>;
  $transaction<T>(work: (tx: Omit<PrismaClient, "$transaction" | "$disconnect">) => Promise<T>): Promise<T>;
  $disconnect(): Promise<void>;
}

export function openPrisma(connectionString: string): PrismaClient {
  const Client = runtime.getPrismaClient(config);
  return new Client({ adapter: new PrismaPg({ connectionString, max: 10 }) }) as unknown as PrismaClient;
}

const config: runtime.GetPrismaClientConfig = {
  "previewFeatures": [],
  "clientVersion": "7.10.1",
  "engineVersion": "d1b3f377ca835d73fd50954a5e22128b9ebdd6b8",
  "activeProvider": "postgresql",
  "inlineSchema": "generator client {\n  provider               = \"prisma-client\"\n  output                 = \"../generated\"\n  runtime                = \"nodejs\"\n  moduleFormat           = \"esm\"\n  generatedFileExtension = \"ts\"\n  importFileExtension    = \"ts\"\n}\n\ndatasource db {\n  provider = \"postgresql\"\n}\n\nmodel Order {\n  id    String @id\n  total Int\n\n  @@map(\"orders\")\n}\n\nmodel Invoice {\n  orderId String @id @map(\"order_id\")\n  total   Int\n\n  @@map(\"invoices\")\n}\n",
  "runtimeDataModel": {
    "models": {},
    "enums": {},
    "types": {}
  },
  "parameterizationSchema": {
    "strings": [],
    "graph": ""
  }
}

config.runtimeDataModel = JSON.parse("{\"models\":{\"Order\":{\"fields\":[{\"name\":\"id\",\"kind\":\"scalar\",\"type\":\"String\"},{\"name\":\"total\",\"kind\":\"scalar\",\"type\":\"Int\"}],\"dbName\":\"orders\",\"schema\":null},\"Invoice\":{\"fields\":[{\"name\":\"orderId\",\"kind\":\"scalar\",\"type\":\"String\",\"dbName\":\"order_id\"},{\"name\":\"total\",\"kind\":\"scalar\",\"type\":\"Int\"}],\"dbName\":\"invoices\",\"schema\":null}},\"enums\":{},\"types\":{}}")
config.parameterizationSchema = {
  strings: JSON.parse("[\"where\",\"Order.findUnique\",\"Order.findUniqueOrThrow\",\"orderBy\",\"cursor\",\"Order.findFirst\",\"Order.findFirstOrThrow\",\"Order.findMany\",\"data\",\"Order.createOne\",\"Order.createMany\",\"Order.createManyAndReturn\",\"Order.updateOne\",\"Order.updateMany\",\"Order.updateManyAndReturn\",\"create\",\"update\",\"Order.upsertOne\",\"Order.deleteOne\",\"Order.deleteMany\",\"having\",\"_count\",\"_avg\",\"_sum\",\"_min\",\"_max\",\"Order.groupBy\",\"Order.aggregate\",\"Invoice.findUnique\",\"Invoice.findUniqueOrThrow\",\"Invoice.findFirst\",\"Invoice.findFirstOrThrow\",\"Invoice.findMany\",\"Invoice.createOne\",\"Invoice.createMany\",\"Invoice.createManyAndReturn\",\"Invoice.updateOne\",\"Invoice.updateMany\",\"Invoice.updateManyAndReturn\",\"Invoice.upsertOne\",\"Invoice.deleteOne\",\"Invoice.deleteMany\",\"Invoice.groupBy\",\"Invoice.aggregate\",\"AND\",\"OR\",\"NOT\",\"orderId\",\"total\",\"equals\",\"in\",\"notIn\",\"lt\",\"lte\",\"gt\",\"gte\",\"not\",\"contains\",\"startsWith\",\"endsWith\",\"id\",\"set\",\"increment\",\"decrement\",\"multiply\",\"divide\"]"),
  graph: "SxUgBSwAAD8AMC0AAAQAEC4AAD8AMDACAD0AITwBAAAAAQEAAAABACABAAAAAQAgBSwAAD8AMC0AAAQAEC4AAD8AMDACAD0AITwBADwAIQADAAAABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACACMAIAAAABPAEAAAABAQgAAAkAIAIwAgAAAAE8AQAAAAEBCAAACwAwAQgAAAsAMAIwAgBGACE8AQBFACECAAAAAQAgCAAADgAgAjACAEYAITwBAEUAIQIAAAAEACAIAAAQACACAAAABAAgCAAAEAAgAwAAAAEAIA8AAAkAIBAAAA4AIAEAAAABACABAAAABAAgBRUAAEcAIBYAAEgAIBcAAEsAIBgAAEoAIBkAAEkAIAUsAAA-ADAtAAAXABAuAAA-ADAwAgA1ACE8AQA0ACEDAAAABAAgAwAAFgAwFAAAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIAUsAAA7ADAtAAAdABAuAAA7ADAvAQAAAAEwAgA9ACEBAAAAGgAgAQAAABoAIAUsAAA7ADAtAAAdABAuAAA7ADAvAQA8ACEwAgA9ACEAAwAAAB0AIAMAAB4AMAQAABoAIAMAAAAdACADAAAeADAEAAAaACADAAAAHQAgAwAAHgAwBAAAGgAgAi8BAAAAATACAAAAAQEIAAAiACACLwEAAAABMAIAAAABAQgAACQAMAEIAAAkADACLwEARQAhMAIARgAhAgAAABoAIAgAACcAIAIvAQBFACEwAgBGACECAAAAHQAgCAAAKQAgAgAAAB0AIAgAACkAIAMAAAAaACAPAAAiACAQAAAnACABAAAAGgAgAQAAAB0AIAUVAABAACAWAABBACAXAABEACAYAABDACAZAABCACAFLAAAMwAwLQAAMAAQLgAAMwAwLwEANAAhMAIANQAhAwAAAB0AIAMAAC8AMBQAADAAIAMAAAAdACADAAAeADAEAAAaACAFLAAAMwAwLQAAMAAQLgAAMwAwLwEANAAhMAIANQAhDhUAADcAIBgAADoAIBkAADoAIDEBAAAAATIBAAAABDMBAAAABDQBAAAAATUBAAAAATYBAAAAATcBAAAAATgBADkAITkBAAAAAToBAAAAATsBAAAAAQ0VAAA3ACAWAAA4ACAXAAA3ACAYAAA3ACAZAAA3ACAxAgAAAAEyAgAAAAQzAgAAAAQ0AgAAAAE1AgAAAAE2AgAAAAE3AgAAAAE4AgA2ACENFQAANwAgFgAAOAAgFwAANwAgGAAANwAgGQAANwAgMQIAAAABMgIAAAAEMwIAAAAENAIAAAABNQIAAAABNgIAAAABNwIAAAABOAIANgAhCDECAAAAATICAAAABDMCAAAABDQCAAAAATUCAAAAATYCAAAAATcCAAAAATgCADcAIQgxCAAAAAEyCAAAAAQzCAAAAAQ0CAAAAAE1CAAAAAE2CAAAAAE3CAAAAAE4CAA4ACEOFQAANwAgGAAAOgAgGQAAOgAgMQEAAAABMgEAAAAEMwEAAAAENAEAAAABNQEAAAABNgEAAAABNwEAAAABOAEAOQAhOQEAAAABOgEAAAABOwEAAAABCzEBAAAAATIBAAAABDMBAAAABDQBAAAAATUBAAAAATYBAAAAATcBAAAAATgBADoAITkBAAAAAToBAAAAATsBAAAAAQUsAAA7ADAtAAAdABAuAAA7ADAvAQA8ACEwAgA9ACELMQEAAAABMgEAAAAEMwEAAAAENAEAAAABNQEAAAABNgEAAAABNwEAAAABOAEAOgAhOQEAAAABOgEAAAABOwEAAAABCDECAAAAATICAAAABDMCAAAABDQCAAAAATUCAAAAATYCAAAAATcCAAAAATgCADcAIQUsAAA-ADAtAAAXABAuAAA-ADAwAgA1ACE8AQA0ACEFLAAAPwAwLQAABAAQLgAAPwAwMAIAPQAhPAEAPAAhAAAAAAABPQEAAAABBT0CAAAAAT4CAAAAAT8CAAAAAUACAAAAAUECAAAAAQAAAAAAAAAAAAUVAAYWAAcXAAgYAAkZAAoAAAAAAAUVAAYWAAcXAAgYAAkZAAoAAAAFFQAQFgARFwASGAATGQAUAAAAAAAFFQAQFgARFwASGAATGQAUAQIBAgMBBQYBBgcBBwgBCQoBCgwCCw0DDA8BDRECDhIEERMBEhQBExUCGhgFGxkLHBsMHRwMHh8MHyAMICEMISMMIiUCIyYNJCgMJSoCJisOJywMKC0MKS4CKjEPKzIV"
}

async function decodeBase64AsWasm(wasmBase64: string): Promise<WebAssembly.Module> {
  const { Buffer } = await import('node:buffer')
  const wasmArray = Buffer.from(wasmBase64, 'base64')
  return new WebAssembly.Module(wasmArray)
}

config.compilerWasm = {
  // @ts-expect-error: the package declares no types of it
  getRuntime: async () => await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs"),

  getQueryCompilerWasmModule: async () => {
    // @ts-expect-error: the package declares no types of it
    const { wasm } = await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs")
    return await decodeBase64AsWasm(wasm)
  },

  importName: "./query_compiler_fast_bg.js"
}
