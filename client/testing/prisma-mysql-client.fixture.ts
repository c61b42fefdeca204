// biome-ignore-all format: what follows is what `prisma generate` writes
/* As prisma-client.fixture.ts, of the same two models with the provider "mysql". Made by Prisma 7.10.0. */
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import * as runtime from "@prisma/client/runtime/client";
import type { PrismaClient } from "./prisma-client.fixture.ts";

/** For a URL with a user and a password, or none. */
export function openMysqlPrisma(url: string): PrismaClient {
  const Client = runtime.getPrismaClient(config);
  const { hostname: host, port, username: user, password, pathname } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1));
  // MySQL prepares no SAVEPOINT.
  const adapter = new PrismaMariaDb({
    ...{ host, port: Number(port || 3306), user: decodeURIComponent(user), password: decodeURIComponent(password), database },
    connectionLimit: 10,
  }, { useTextProtocol: true });
  return new Client({ adapter }) as unknown as PrismaClient;
}

const config: runtime.GetPrismaClientConfig = {
  "previewFeatures": [],
  "clientVersion": "7.10.0",
  "engineVersion": "0edf323efd1d98336f3f0a68684b56f689b900d3",
  "activeProvider": "mysql",
  "inlineSchema": "generator client {\n  provider               = \"prisma-client\"\n  output                 = \"../generated\"\n  runtime                = \"nodejs\"\n  moduleFormat           = \"esm\"\n  generatedFileExtension = \"ts\"\n  importFileExtension    = \"ts\"\n}\n\ndatasource db {\n  provider = \"mysql\"\n}\n\nmodel Order {\n  id    String @id\n  total Int\n\n  @@map(\"orders\")\n}\n\nmodel Invoice {\n  orderId String @id @map(\"order_id\")\n  total   Int\n\n  @@map(\"invoices\")\n}\n",
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
  strings: JSON.parse("[\"where\",\"Order.findUnique\",\"Order.findUniqueOrThrow\",\"orderBy\",\"cursor\",\"Order.findFirst\",\"Order.findFirstOrThrow\",\"Order.findMany\",\"data\",\"Order.createOne\",\"Order.createMany\",\"Order.updateOne\",\"Order.updateMany\",\"create\",\"update\",\"Order.upsertOne\",\"Order.deleteOne\",\"Order.deleteMany\",\"having\",\"_count\",\"_avg\",\"_sum\",\"_min\",\"_max\",\"Order.groupBy\",\"Order.aggregate\",\"Invoice.findUnique\",\"Invoice.findUniqueOrThrow\",\"Invoice.findFirst\",\"Invoice.findFirstOrThrow\",\"Invoice.findMany\",\"Invoice.createOne\",\"Invoice.createMany\",\"Invoice.updateOne\",\"Invoice.updateMany\",\"Invoice.upsertOne\",\"Invoice.deleteOne\",\"Invoice.deleteMany\",\"Invoice.groupBy\",\"Invoice.aggregate\",\"AND\",\"OR\",\"NOT\",\"orderId\",\"total\",\"equals\",\"in\",\"notIn\",\"lt\",\"lte\",\"gt\",\"gte\",\"not\",\"contains\",\"startsWith\",\"endsWith\",\"search\",\"id\",\"_relevance\",\"set\",\"increment\",\"decrement\",\"multiply\",\"divide\"]"),
  graph: "SREcBSgAADsAMCkAAAQAECoAADsAMCwCADkAITkBAAAAAQEAAAABACABAAAAAQAgBSgAADsAMCkAAAQAECoAADsAMCwCADkAITkBADgAIQE6AABJACADAAAABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACACLAIAAAABOQEAAAABAQgAAAkAIAIsAgAAAAE5AQAAAAEBCAAACwAwAiwCAEIAITkBAEEAIQIAAAABACAIAAANACACLAIAQgAhOQEAQQAhAgAAAAQAIAgAAA8AIAMAAAABACANAAAJACAOAAANACABAAAAAQAgAQAAAAQAIAUTAABEACAUAABFACAVAABIACAWAABHACAXAABGACAFKAAAOgAwKQAAFQAQKgAAOgAwLAIAMQAhOQEAMAAhAwAAAAQAIAMAABQAMBIAABUAIAMAAAAEACADAAAFADAEAAABACAFKAAANwAwKQAAGwAQKgAANwAwKwEAAAABLAIAOQAhAQAAABgAIAEAAAAYACAFKAAANwAwKQAAGwAQKgAANwAwKwEAOAAhLAIAOQAhAToAAEMAIAMAAAAbACADAAAcADAEAAAYACADAAAAGwAgAwAAHAAwBAAAGAAgAwAAABsAIAMAABwAMAQAABgAIAIrAQAAAAEsAgAAAAEBCAAAIAAgAisBAAAAASwCAAAAAQEIAAAiADACKwEAQQAhLAIAQgAhAgAAABgAIAgAACQAIAIrAQBBACEsAgBCACECAAAAGwAgCAAAJgAgAwAAABgAIA0AACAAIA4AACQAIAEAAAAYACABAAAAGwAgBRMAADwAIBQAAD0AIBUAAEAAIBYAAD8AIBcAAD4AIAUoAAAvADApAAAsABAqAAAvADArAQAwACEsAgAxACEDAAAAGwAgAwAAKwAwEgAALAAgAwAAABsAIAMAABwAMAQAABgAIAUoAAAvADApAAAsABAqAAAvADArAQAwACEsAgAxACEPEwAAMwAgFgAANgAgFwAANgAgLQEAAAABLgEAAAAELwEAAAAEMAEAAAABMQEAAAABMgEAAAABMwEAAAABNAEANQAhNQEAAAABNgEAAAABNwEAAAABOAEAAAABDRMAADMAIBQAADQAIBUAADMAIBYAADMAIBcAADMAIC0CAAAAAS4CAAAABC8CAAAABDACAAAAATECAAAAATICAAAAATMCAAAAATQCADIAIQ0TAAAzACAUAAA0ACAVAAAzACAWAAAzACAXAAAzACAtAgAAAAEuAgAAAAQvAgAAAAQwAgAAAAExAgAAAAEyAgAAAAEzAgAAAAE0AgAyACEILQIAAAABLgIAAAAELwIAAAAEMAIAAAABMQIAAAABMgIAAAABMwIAAAABNAIAMwAhCC0IAAAAAS4IAAAABC8IAAAABDAIAAAAATEIAAAAATIIAAAAATMIAAAAATQIADQAIQ8TAAAzACAWAAA2ACAXAAA2ACAtAQAAAAEuAQAAAAQvAQAAAAQwAQAAAAExAQAAAAEyAQAAAAEzAQAAAAE0AQA1ACE1AQAAAAE2AQAAAAE3AQAAAAE4AQAAAAEMLQEAAAABLgEAAAAELwEAAAAEMAEAAAABMQEAAAABMgEAAAABMwEAAAABNAEANgAhNQEAAAABNgEAAAABNwEAAAABOAEAAAABBSgAADcAMCkAABsAECoAADcAMCsBADgAISwCADkAIQwtAQAAAAEuAQAAAAQvAQAAAAQwAQAAAAExAQAAAAEyAQAAAAEzAQAAAAE0AQA2ACE1AQAAAAE2AQAAAAE3AQAAAAE4AQAAAAEILQIAAAABLgIAAAAELwIAAAAEMAIAAAABMQIAAAABMgIAAAABMwIAAAABNAIAMwAhBSgAADoAMCkAABUAECoAADoAMCwCADEAITkBADAAIQUoAAA7ADApAAAEABAqAAA7ADAsAgA5ACE5AQA4ACEAAAAAAAE7AQAAAAEFOwIAAAABPAIAAAABPQIAAAABPgIAAAABPwIAAAABATgBAAAAAQAAAAAAATgBAAAAAQAABRMABBQABRUABhYABxcACAAAAAAABRMABBQABRUABhYABxcACAAFEwAMFAANFQAOFgAPFwAQAAAAAAAFEwAMFAANFQAOFgAPFwAQAQIBAgMBBQYBBgcBBwgBCQoBCgwCCw4BDBACDxEBEBIBERMCGBYDGRcJGhkKGxoKHB0KHR4KHh8KHyEKICMCISUKIicCIygKJCkKJSoCJi0LJy4R"
}

async function decodeBase64AsWasm(wasmBase64: string): Promise<WebAssembly.Module> {
  const { Buffer } = await import('node:buffer')
  const wasmArray = Buffer.from(wasmBase64, 'base64')
  return new WebAssembly.Module(wasmArray)
}

config.compilerWasm = {
  // @ts-expect-error: the package declares no types of it
  getRuntime: async () => await import("@prisma/client/runtime/query_compiler_fast_bg.mysql.mjs"),

  getQueryCompilerWasmModule: async () => {
    // @ts-expect-error: the package declares no types of it
    const { wasm } = await import("@prisma/client/runtime/query_compiler_fast_bg.mysql.wasm-base64.mjs")
    return await decodeBase64AsWasm(wasm)
  },

  importName: "./query_compiler_fast_bg.js"
}
