import * as z from 'zod'
import type { Json } from '../../call/json/json.ts'
import { policyFile } from './policy-document.ts'

/** A rule has at least one of them. */
const RULE_KINDS = ['supervision', 'raises_to'] as const

/** The policy language as JSON Schema draft 7, for editors (`# yaml-language-server: $schema=…`). */
export function policyJsonSchema(): Json {
  const schema = z.toJSONSchema(policyFile, {
    target: 'draft-7',
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      // A rule says how a call is supervised, or how bad it is.
      if (zodSchema === policyFile.shape.rules.unwrap().element) eitherRequired(jsonSchema)
    },
  })
  const { $schema, ...rest } = JSON.parse(JSON.stringify(schema)) as { readonly $schema: string } & Record<string, Json>
  return {
    $schema,
    title: 'Countersign policy',
    description: 'Which tool calls of an agent run, and which a person decides.',
    ...rest,
  }
}

function eitherRequired(schema: object): void {
  const said = { ...schema }
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key)
  Object.assign(schema, { anyOf: RULE_KINDS.map((key) => ({ ...said, required: [key] })) })
}
