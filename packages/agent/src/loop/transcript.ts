import { type Crypto, type Json, redactJson, redactText, safeLines, safeText } from '@countersign/core'
import type { AskedCall, Message } from '../model/model.ts'
import { headAndTail } from '../tools/definition/output-limit.ts'
import type { Agent } from './agent.ts'
import type { AgentEvent } from './event.ts'

/** What redaction needs. */
export type Redactor = Pick<Crypto, 'keyedHash'>

/** The transcript of a conversation. */
export interface Transcript {
  /** The steps so far, up to a limit; further ones are counted. */
  readonly steps: readonly TranscriptStep[]
  /** The transcript as JSON, secrets redacted as in the journal. */
  toJson(redactor: Redactor): string
  /** The transcript as Markdown, secrets redacted as in the journal. */
  toMarkdown(redactor: Redactor): string
  end(): void
}

/** One step of a transcript. */
export interface TranscriptStep {
  readonly kind: AgentEvent['kind']
  readonly agent: string
  readonly callId: string | null
  readonly text: string
}

const MAX_STEPS = 10_000
const MAX_TEXT = 20_000
const MAX_RESULT = 200
/** Enough of a result that the shown part is far from the cut, so that secrets in it are complete and get redacted. */
const MAX_KEPT = 8_000

/** Records what an agent does from now on. */
export function keepTranscript(agent: Agent): Transcript {
  const steps: TranscriptStep[] = []
  let missing = 0
  const end = agent.subscribe((event) => {
    const text = wordsOf(event)
    if (text === null) return
    if (steps.length >= MAX_STEPS) missing += 1
    else steps.push({ kind: event.kind, agent: event.agent, callId: 'callId' in event ? event.callId : null, text })
  })
  return {
    steps,
    toJson(redactor) {
      const whole = {
        version: 1,
        agent: agent.name,
        messages: agent.messages.map((message) => bounded(clean(message, redactor))),
        steps: cleanSteps(steps, redactor),
        missingSteps: missing,
      }
      return `${JSON.stringify(whole, null, 2)}\n`
    },
    toMarkdown(redactor) {
      const talk = agent.messages.flatMap((message) => section(bounded(clean(message, redactor))))
      const list = cleanSteps(steps, redactor).map(
        (step) => `- ${plain(step.agent)} **${step.kind}** ${code(step.text)}`,
      )
      const more = missing === 0 ? [] : [`- … and ${missing} more`]
      return `${[`# ${plain(agent.name)}`, ...talk, '## Steps', [...list, ...more].join('\n')].join('\n\n')}\n`
    },
    end,
  }
}

/** Null for events that the messages already contain. */
function wordsOf(event: AgentEvent): string | null {
  switch (event.kind) {
    case 'text':
    case 'thought':
    case 'output':
    case 'turn':
      return null
    case 'requested':
      return event.call.tool
    case 'judged':
      return `${event.risk} ${event.supervision}${event.effect === null ? '' : `: ${event.effect}`}`
    case 'held':
      return event.view.effect
    case 'approved':
      return `by ${event.by} (${event.surface})`
    case 'notice':
      return event.effect
    case 'started':
      return ''
    case 'completed':
      return headAndTail(event.text, MAX_KEPT)
    case 'failed':
    case 'retry':
      return event.message
    case 'refused':
      return `${event.refusal.outcome}: ${event.refusal.message}`
    case 'usage':
      return `${event.tokens.input} in, ${event.tokens.output} out`
    case 'stopped':
      return `${event.stop.why}: ${event.stop.message}`
  }
}

/** SECURITY: A25 secrets are redacted before cutting: half a secret is not recognized. */
function clean(message: Message, redactor: Redactor): Message {
  const { role } = message
  const kept = role === 'agent' ? { ...message, calls: message.calls.map(withoutCarried) } : message
  return redactJson(kept as unknown as Json, redactor) as unknown as Message
}

function cleanSteps(steps: readonly TranscriptStep[], redactor: Redactor): readonly TranscriptStep[] {
  return steps.map((step) => {
    const text = redactText(step.text, redactor)
    return { ...step, text: step.kind === 'completed' ? headAndTail(text, MAX_RESULT) : text }
  })
}

function bounded(message: Message): Message {
  switch (message.role) {
    case 'person':
      return { ...message, text: headAndTail(message.text, MAX_TEXT) }
    case 'agent':
      return { ...message, text: headAndTail(message.text, MAX_TEXT), calls: message.calls.map(boundedCall) }
    case 'tool':
      return {
        ...message,
        results: message.results.map((result) => ({ ...result, text: headAndTail(result.text, MAX_TEXT) })),
      }
  }
}

function withoutCarried({ id, tool, args }: AskedCall): AskedCall {
  return { id, tool, args }
}

function boundedCall({ id, tool, args }: AskedCall): AskedCall {
  const text = JSON.stringify(args) ?? 'null'
  return { id, tool, args: text.length <= MAX_TEXT ? args : headAndTail(text, MAX_TEXT) }
}

function section(kept: Message): readonly string[] {
  switch (kept.role) {
    case 'person':
      return ['## Person', fenced(kept.text)]
    case 'agent':
      return [
        '## Agent',
        ...(kept.text === '' ? [] : [fenced(kept.text)]),
        ...kept.calls.map(
          ({ tool, args }) => `Asks for ${code(tool)}:\n\n${fenced(JSON.stringify(args, null, 2) ?? 'null')}`,
        ),
      ]
    case 'tool':
      return kept.results.map(
        ({ tool, text, isError }) => `${isError ? 'Error' : 'Result'} of ${code(tool)}:\n\n${fenced(text)}`,
      )
  }
}

/** SECURITY: A12 text of agents, tools and files cannot end its code block or control a terminal. */
function fenced(raw: string): string {
  const text = safeLines(raw).join('\n')
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${text}\n${fence}`
}

function code(text: string): string {
  return text === '' ? '' : `\`${plain(text).replaceAll('`', '’')}\``
}

/** One line, with control and suspicious characters made visible. */
function plain(text: string): string {
  return safeText(text).replace(/\s+/g, ' ')
}
