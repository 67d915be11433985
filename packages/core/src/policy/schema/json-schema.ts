import * as z from 'zod'
import type { Json } from '../../call/json/json.ts'
import { policyFile } from './policy-document.ts'

/** The policy language as JSON Schema draft 7, for editors (`# yaml-language-server: $schema=…`). */
export function policyJsonSchema(): Json {
  const schema = z.toJSONSchema(policyFile, { target: 'draft-7', io: 'input' })
  const { $schema, ...rest } = JSON.parse(JSON.stringify(schema)) as { readonly $schema: string } & Record<string, Json>
  return {
    $schema,
    title: 'Countersign policy',
    description: 'Which tool calls of an agent run, and which a person decides.',
    ...rest,
  }
}
