import {
  type Call,
  type Effect,
  type GateEvent,
  type HeldCallView,
  markOf,
  openView,
  safeText,
  type ToolResult,
} from '@countersign/core'
import type { OpenedGate } from '@countersign/node'
import { timeOfDay } from '@countersign/terminal/card'
import { localKey } from '../home/approver-key.ts'
import { homeFlag } from '../home/inbox-address.ts'
import { enclosingCall } from '../home/nested-call-guard.ts'
import { type AskingTerminal, askOnTerminal } from '../prompt/ask-on-terminal.ts'
import { type Io, say } from '../terminal/io.ts'
import { commandOf } from './command-call.ts'
import { runInPlace } from './run-in-place.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Whether the terminal may ask, and whether notices are hidden. */
export interface Asking {
  readonly input: boolean
  readonly quiet: boolean
}

/** Submits the command and runs it once it is permitted. */
export function runGated(call: Call & { readonly id: string }, opened: OpenedGate, options: Asking, io: Io) {
  const gated = { home: opened.home, call: call.id }
  return askThenRun({ ...call, containable: true }, opened, options, io, (args, place) =>
    runInPlace(commandOf(args), place, gated, io, (line) => sayRefused(line, io)),
  )
}

/** Submits a call and runs it once it is permitted. Signals withdraw it while it is held; once it runs, they go to it. */
export async function askThenRun(
  call: Call & { readonly id: string },
  opened: OpenedGate,
  options: Asking,
  io: Io,
  run: Effect,
): Promise<{ readonly result: ToolResult; readonly told: boolean }> {
  const gone = new AbortController()
  const withdraw = (): void => gone.abort()
  let alone = false
  const stopTelling = opened.gate.subscribe((event) => {
    if (event.kind === 'judged' && !options.input && needsPerson(event)) {
      alone = true
      withdraw()
    }
    tell(event, options.quiet, io)
  })
  const asking = options.input ? ask(opened, withdraw, io) : null
  for (const signal of SIGNALS) process.on(signal, withdraw)
  try {
    const result = await opened.gate.run(
      call,
      (args, place) => {
        for (const signal of SIGNALS) process.off(signal, withdraw)
        return run(args, place)
      },
      gone.signal,
    )
    const told = asking?.toldRefusal(result.callId) ?? false
    if (!alone || result.kind !== 'refusal' || result.outcome !== 'withdrawn') return { result, told }
    const message = await unaskedWords(opened)
    return { result: { ...result, code: 'CS_NO_INTERFACE', message }, told }
  } finally {
    for (const signal of SIGNALS) process.off(signal, withdraw)
    asking?.stop()
    stopTelling()
  }
}

/** Why nobody could be asked, and what to do. Under a pause a rule would change nothing. */
async function unaskedWords({ desk }: OpenedGate): Promise<string> {
  const paused = await desk
    .rules()
    .paused()
    .catch(() => null)
  if (paused === null) return 'approval is needed and `--no-input` prevents asking; remove the flag, or add a rule'
  return `every call is held (${paused}) and \`--no-input\` prevents asking; end the pause with \`countersign resume\``
}

/** Names what the sandbox refused, and how to ask for the run outside of it. */
function sayRefused(line: string | null, io: Io): void {
  if (line === null) return
  say(io, `countersign: ${safeText(line)}; \`exec --outside\` asks for approval to run it outside the sandbox`)
}

function needsPerson({ judgement }: Extract<GateEvent, { kind: 'judged' }>): boolean {
  return !judgement.safety.blocked && (judgement.supervision === 'confirm' || judgement.supervision === 'manual')
}

function ask(opened: OpenedGate, withdraw: () => void, io: Io): AskingTerminal {
  return askOnTerminal(opened, {
    // SECURITY: L8, a gated command that opens a terminal of its own would answer for itself.
    terminal: () => (enclosingCall(io) === null ? io.terminal() : null),
    key: (terminal) => localKey(opened.home, (line) => terminal.write(`${line}\n`)),
    onNobody: (view) => sayHeld(view, opened, io),
    withdraw,
  })
}

/** Prints how to decide a held call elsewhere, when there is no terminal to ask on. */
function sayHeld(view: HeldCallView, { ports, home }: OpenedGate, io: Io): void {
  const { body } = openView(view, ports.crypto)
  const mark = safeText(markOf(view))
  const where = homeFlag(home)
  const how =
    body.passkey === true
      ? `approve with a passkey in the inbox (\`countersign inbox${where}\`), or \`countersign reject ${mark}${where}\``
      : `approve with \`countersign approve ${mark}${where}\`, or \`reject\``
  say(io, `countersign: held as ${mark}: ${how}, before ${timeOfDay(body.expiresAt)}`)
}

function tell(event: GateEvent, quiet: boolean, io: Io): void {
  if (event.kind === 'problem') say(io, `countersign: ${safeText(event.message)} [${safeText(event.code)}]`)
  if (quiet) return
  if (event.kind === 'notice') {
    const text = [`${event.effect} (${event.judgement.verdict.rule.id})`, ...event.warnings].join('; ')
    say(io, `countersign: notice: ${safeText(text)}`)
  }
  if (event.kind === 'decision-refused')
    say(io, `countersign: a decision was not accepted: ${safeText(event.message)} [${safeText(event.code)}]`)
}
