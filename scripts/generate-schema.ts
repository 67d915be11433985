import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { policyJsonSchema } from '../packages/core/src/policy/schema/json-schema.ts'

/** Writes `packages/core/policy.schema.json`, the policy language for editors. */

/** The expected file. */
export function schemaFile(): string {
  return `${JSON.stringify(policyJsonSchema(), null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../packages/core/policy.schema.json', import.meta.url), schemaFile())
}
