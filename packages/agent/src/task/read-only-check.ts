import { type CheckInput, changedTargets } from '@countersign/core'

/**
 * Whether a call is proven to change nothing. A tool of a server is not: only its own word says so. A command is when
 * every part of it was understood, is rated `none`, writes or deletes nothing, and ends before the run goes on.
 */
export function readsOnly(input: CheckInput): boolean {
  const { call, risk } = input
  if (call.tool.server !== null || call.source !== 'builtin') return false
  const { known, unknown } = changedTargets(input)
  if (known.length > 0 || unknown.length > 0) return false
  switch (call.descriptor.kind) {
    case 'read':
    case 'fetch':
      return true
    case 'execute':
    case 'query':
      return risk.understood && risk.level === 'none' && !mayDetach(call.descriptor)
    case 'write':
    case 'delete':
    case 'move':
    case 'send':
    case 'other':
      return false
  }
}

const DETACHING = /(?:^|[^\w-])(?:nohup|setsid|disown|coproc|daemonize|start-stop-daemon)(?![\w-])/
/** Letters spelt by numbers, among which may be an ampersand. */
const SPELT = /\$'[^']*\\[xuUc0-7]/

/** Whether something of a command may go on when it has ended. By its text alone: quoted words count, which errs high. */
function mayDetach({ command, argv }: CheckInput['call']['descriptor']): boolean {
  const text = command ?? argv?.join('\n') ?? ''
  const alone = text.replace(/&&|[<>]&|&>/g, ' ')
  return alone.includes('&') || DETACHING.test(text) || SPELT.test(text)
}
