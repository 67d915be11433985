import { compileNames, type JsonObject } from '@countersign/core'

const VISIBLE = /^[\x21-\x7e]+$/
const ESCAPED = /%[0-9a-f]{2}/i
const BETWEEN = /[^a-z0-9]+/g
const QUERY = /[?#;].*$/

/** Whether all readers read a method alike: visible ASCII, nothing percent-encoded. */
export function isPlainMethod(method: string): boolean {
  return VISIBLE.test(method) && !ESCAPED.test(method)
}

/**
 * Whether a less strict reader could take a plain method for `tools/call`: the same letters, in any case, with anything
 * between them.
 */
export function looksLikeCall(method: string): boolean {
  return method.toLowerCase().replace(BETWEEN, '') === 'toolscall'
}

/** Requests and notifications in the versions of the protocol. Other names with the same beginning are a server's own. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'server/discover', 'subscriptions/listen', 'completion/complete', 'logging/setLevel'],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'resources/list', 'resources/read'],
  ...['resources/templates/list', 'resources/subscribe', 'resources/unsubscribe'],
  ...['tasks/list', 'tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel'],
  ...['roots/list', 'elicitation/create', 'sampling/createMessage'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'notifications/message'],
  ...['notifications/roots/list_changed', 'notifications/tasks/status', 'notifications/elicitation/complete'],
])
const ACTING = /call|invoke|exec|run|tool|eval|dispatch|batch|apply|perform/
const NAME_KEYS = ['name', 'tool', 'toolName', 'tool_name', 'function', 'action', 'command', 'method', 'operation']
const INPUT_KEYS = ['arguments', 'args', 'input', 'params', 'parameters', 'payload', 'kwargs', 'calls']

/** Whether a method that no version of the protocol has may call a tool: by its name, or by its parameters. */
export function mayCallTool(method: string, params: () => JsonObject): boolean {
  if (KNOWN.has(method)) return false
  if (ACTING.test(method.toLowerCase())) return true
  try {
    const given = params()
    const isNamed = NAME_KEYS.some((key) => typeof given[key] === 'string')
    return isNamed || INPUT_KEYS.some((key) => typeof given[key] === 'object' && given[key] !== null)
  } catch {
    return true
  }
}

/**
 * Compiles the list of denied methods. SECURITY: A1 also matches what a less strict reader takes for one: only the
 * letters count, and a query part is ignored.
 */
export function compileDenied(patterns: readonly string[]): (method: string) => boolean {
  const exact = compileNames(patterns)
  const letters = patterns.map((pattern) => pattern.toLowerCase().replace(/[^a-z0-9*]+/g, ''))
  const loose = compileNames(letters.filter((pattern) => /[a-z0-9]/.test(pattern)))
  return (method) => exact(method) || loose(method.toLowerCase().replace(QUERY, '').replace(BETWEEN, ''))
}
