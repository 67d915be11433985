import type { JsonObject } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import type { HostEvent, HostTool } from '../contract/host-event.ts'
import { NO_WORDS } from './conversation.ts'
import { type EventFields, eventFields, unknownEvent } from './event-fields.ts'
import { type AnswerShapes, printAnswer } from './printing.ts'
import type { Reason } from './reason.ts'
import { exitCodeOf, toolEnd } from './tool-output.ts'

const TITLE = 'opencode'
const SHELL = 'bash'

/** Reads an event as our plugin sends it: as opencode gave it to the plugin, with what the plugin knows of the session. */
function read(payload: unknown, event: string | undefined): HostEvent {
  const fields = eventFields(payload, TITLE)
  switch (event) {
    case 'tool.execute.before': {
      const args = fields.object('output').args('args')
      return { kind: 'before-tool', ...toolIn(fields, args), isBypassing: false }
    }
    case 'tool.execute.after': {
      const tool = toolIn(fields, fields.object('input').args('args'))
      const output = fields.object('output')
      const exitCode = tool.tool === SHELL ? exitCodeOf(output.optionalObject('metadata')?.value('exit')) : null
      return { kind: 'after-tool', ...tool, ...toolEnd(output.value('output'), exitCode) }
    }
    case 'session.created':
    case 'session.deleted':
      return sessionEvent(fields.object('properties').object('info'), event)
    // The end of a turn: in its terminal interface, the session goes on.
    case 'session.idle':
      return { kind: 'other', name: event }
    default:
      throw unknownEvent(event, TITLE)
  }
}

/** A sub-agent's session is part of the session that started it. */
function sessionEvent(info: EventFields, name: 'session.created' | 'session.deleted'): HostEvent {
  if (info.optionalLabel('parentID') !== null) return { kind: 'other', name }
  const session = { session: info.label('id'), cwd: info.optionalPath('directory'), transcript: null }
  return { kind: name === 'session.created' ? 'session-start' : 'session-end', ...session }
}

function toolIn(fields: EventFields, args: JsonObject): HostTool {
  const input = fields.object('input')
  const session = input.label('sessionID')
  const parent = fields.optionalLabel('parent')
  return {
    session: parent ?? session,
    cwd: fields.optionalPath('directory'),
    transcript: null,
    toolCall: input.label('callID'),
    tool: input.label('tool'),
    // `<server>_<tool>` doesn't show where the server's name ends, nor that it is one.
    server: null,
    args,
    agent: parent === null ? null : { id: session, type: fields.optionalLabel('agent') },
  }
}

interface Deny {
  readonly decision: 'deny'
  readonly reason: Reason
}
interface Allow {
  readonly decision: 'allow'
  readonly args?: JsonObject
}

/** Read by our plugin. A plugin can't ask: opencode declares `permission.ask` and never calls it. */
const SHAPES: AnswerShapes<Deny | Allow> = {
  deny: (reason) => ({ decision: 'deny', reason }),
  allow: () => ({ decision: 'allow' }),
  allowWith: (args) => ({ decision: 'allow', args }),
}

/** opencode. It has plugins in place of hooks: `opencodePlugin` starts ours. */
export const opencode: HostContract = {
  name: 'opencode',
  title: TITLE,
  evidence: 'proven',
  rewrites: true,
  events: [
    { name: 'tool.execute.before', kind: 'before' },
    { name: 'tool.execute.after', kind: 'report' },
    { name: 'session.created', kind: 'report' },
    { name: 'session.idle', kind: 'report' },
    { name: 'session.deleted', kind: 'report' },
  ],
  shells: [SHELL],
  own: ['question', 'task', 'todoread', 'todowrite'],
  asks: false,
  refusesByExit: false,
  onTimeout: 'waits',
  read,
  lastWords: () => NO_WORDS,
  print: (answer) => printAnswer(answer, SHAPES),
}
