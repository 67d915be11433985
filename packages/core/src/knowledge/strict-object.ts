import * as z from 'zod'

const KEYS = new Map<string, readonly string[]>()

/**
 * A strict object with a name for messages. An unknown key is reported with that name and the keys it has (`keysOf`).
 */
export function named<Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape, example?: string) {
  KEYS.set(name, Object.keys(shape))
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') return name
      return issue.code === 'invalid_type' && example !== undefined ? `expected a map such as ${example}` : undefined
    },
  })
}

/** Refuses an empty map. */
export function notEmpty(message: string) {
  return (context: { readonly value: object; issues: z.core.$ZodRawIssue[] }): void => {
    if (context.issues.length > 0 || Object.keys(context.value).length > 0) return
    context.issues.push({ code: 'custom', message, input: context.value })
  }
}

/** The keys of the object with that name. */
export function keysOf(name: string): readonly string[] {
  return KEYS.get(name) ?? []
}
