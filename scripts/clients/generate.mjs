// Writes the types of an OpenAPI document. Files become Blob.
import { readFileSync, writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";
import ts from "typescript";

const [from, to] = process.argv.slice(2);
const types = await openapi(JSON.parse(readFileSync(from, "utf8")), {
  defaultNonNullable: false, // a field with a default may be left out
  transform: (schema) => (schema.format === "binary" ? ts.factory.createTypeReferenceNode("Blob") : undefined),
});
writeFileSync(to, astToString(types));
