import { canonicalJson, type Json, type JsonObject } from '@countersign/core'

/** A schema by the Standard Schema contract, such as zod's. */
interface StandardSchema {
  readonly '~standard': { validate(value: unknown): unknown }
}

/** A schema of the SDK's own `jsonSchema()`. */
interface SdkSchema {
  validate(value: unknown): unknown
}

/**
 * The input that a tool gets. The SDK checked what the model wrote; if a person edited it, the tool's schema checks that here. Throws
 * if it doesn't fit, before the tool is called.
 */
export async function inputFor(schema: unknown, asked: unknown, permitted: JsonObject): Promise<unknown> {
  const before: Json = JSON.parse(JSON.stringify(asked ?? {}))
  if (canonicalJson(permitted) === canonicalJson(before)) return permitted
  if (isStandard(schema)) {
    const checked = Object(await schema['~standard'].validate(permitted))
    if (checked.issues !== undefined) throw unfit()
    return checked.value
  }
  if (!isOwn(schema)) return permitted
  const checked = Object(await schema.validate(permitted))
  if (checked.success !== true) throw unfit()
  return checked.value
}

function unfit(): Error {
  return new Error('the arguments that a person edited do not fit the schema of this tool; it did not run')
}

function isStandard(schema: unknown): schema is StandardSchema {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema
}

function isOwn(schema: unknown): schema is SdkSchema {
  return typeof schema === 'object' && schema !== null && 'validate' in schema && typeof schema.validate === 'function'
}
