import type { Outcome } from '@countersign/core'
import type { RpcResponse } from '../../wire/message.ts'
import type { CallEnd } from './exchange.ts'

const LONGEST_DETAIL = 300

/**
 * How the answer to a call says that it ended; `input_required` when the server wants to know something first. Since
 * 2026-07-28 a server makes a task of a call by itself; before, only where it was asked to.
 */
export function endOf(answer: RpcResponse, asTask: boolean): CallEnd | 'input-required' {
  if (answer.failed)
    return { kind: 'error', message: textOf(answer.member('message')) ?? 'the server answered with an error' }
  const type = textOf(answer.member('resultType'))
  if (type === 'input_required') return 'input-required'
  if (type === 'task' || (asTask && answer.member('task') !== null)) return { kind: 'task' }
  return { kind: 'result', isError: isTrue(answer.member('isError')) }
}

/** What the journal says of an end. */
export function outcomeOf(end: CallEnd): { readonly outcome: Outcome; readonly detail: string | null } {
  switch (end.kind) {
    case 'result':
      return end.isError
        ? { outcome: 'failed', detail: 'the tool answered with an error' }
        : { outcome: 'completed', detail: null }
    case 'error':
      return { outcome: 'failed', detail: end.message.slice(0, LONGEST_DETAIL) }
    case 'task':
      return { outcome: 'released', detail: 'the server goes on with it as a task' }
    case 'unsent':
      return { outcome: 'failed', detail: `never sent to the server: ${end.why}` }
    case 'lost':
      return { outcome: 'unknown', detail: end.why.slice(0, LONGEST_DETAIL) }
  }
}

function isTrue(bytes: Buffer | null): boolean {
  return bytes !== null && bytes.length === 4 && bytes.toString('latin1') === 'true'
}

const LONGEST_TEXT = 4096

function textOf(bytes: Buffer | null): string | null {
  if (bytes === null || bytes[0] !== 0x22 || bytes.length > LONGEST_TEXT) return null
  try {
    return JSON.parse(bytes.toString('utf8')) as string
  } catch {
    return null
  }
}
