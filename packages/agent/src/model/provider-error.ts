import { maskText } from '@countersign/core'
import type { ModelFailed } from './model.ts'

/** An error of a provider. Untrusted: any program may be behind an endpoint. */
interface ProviderError {
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly message?: unknown
}

const MAX_WORDS = 300

/** Turns a provider or network error into one line of advice, and whether a retry may help. */
export function explainFailure(error: unknown, model: string): ModelFailed {
  const { statusCode, responseHeaders, message } = fieldsOf(error)
  const status = typeof statusCode === 'number' ? statusCode : null
  const words = wordsOf(message ?? (typeof error === 'string' ? error : ''))
  const waitMs = waitOf(responseHeaders)
  const told = words === '' ? '' : ` (${words})`
  const failed = (line: string, retryable: boolean): ModelFailed => ({
    kind: 'failed',
    message: line,
    retryable,
    waitMs,
  })
  if (status === 401 || status === 403)
    return failed(`${model} does not accept the key (${status}); set the right API key for this provider`, false)
  if (status === 404)
    return failed(`${model} is not known at this endpoint (404); check the model’s name and the base URL`, false)
  if (status === 413) return failed(`the conversation is too long for ${model} (413); start a new one`, false)
  if (status === 429) {
    const when = waitMs === null ? 'wait a while' : `wait ${Math.ceil(waitMs / 1000)} s`
    return failed(`${model} is over its rate or spending limit (429); ${when}, or check your plan${told}`, true)
  }
  if (status !== null && (status >= 500 || status === 408 || status === 409))
    return failed(`${model} has an internal problem (${status}); try again later${told}`, true)
  if (status !== null && status >= 300)
    return failed(`${model} refused the request (${status}); check the model’s name and what it can do${told}`, false)
  if (isUnreachable(error)) return failed(`${model} cannot be reached; check the network and the base URL${told}`, true)
  return failed(`the answer of ${model} broke off or could not be parsed; try again${told}`, true)
}

function fieldsOf(error: unknown): ProviderError {
  return typeof error === 'object' && error !== null ? (error as ProviderError) : {}
}

/** No response: no connection, or an unknown host. */
function isUnreachable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  const { code, message, cause } = error as {
    readonly code?: unknown
    readonly message?: unknown
    readonly cause?: unknown
  }
  const isCode =
    typeof code === 'string' &&
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code)
  return (
    isCode || (typeof message === 'string' && message.startsWith('Cannot connect')) || isUnreachable(cause, depth + 1)
  )
}

/** The provider’s message: limited, on one line, secrets masked. */
function wordsOf(message: unknown): string {
  if (typeof message !== 'string') return ''
  const line = message
    .slice(0, MAX_WORDS)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '')
  return maskText(line, 'any').value.toWellFormed()
}

/** `retry-after` in seconds or milliseconds; dates are ignored. */
function waitOf(headers: unknown): number | null {
  if (typeof headers !== 'object' || headers === null) return null
  const of = (name: string): number => Number((headers as Readonly<Record<string, unknown>>)[name] ?? Number.NaN)
  const ms = of('retry-after-ms')
  if (Number.isFinite(ms) && ms >= 0) return ms
  const seconds = of('retry-after')
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
