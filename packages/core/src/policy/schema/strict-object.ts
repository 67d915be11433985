import * as z from 'zod'

const KEYS = new Map<string, readonly string[]>()

/**
 * A strict object of the language under a name people know it by. An unknown key is reported under that name, so
 * that the message can list and suggest the keys it has (`keysOf`).
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

/** Refuses a map in which nothing is said. */
export function notEmpty(message: string) {
  return (context: { readonly value: object; issues: z.core.$ZodRawIssue[] }): void => {
    if (context.issues.length > 0 || Object.keys(context.value).length > 0) return
    context.issues.push({ code: 'custom', message, input: context.value })
  }
}

/** The keys an object of that name may have. */
export function keysOf(name: string): readonly string[] {
  return KEYS.get(name) ?? []
}
