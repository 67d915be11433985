import {
  type Call,
  type GateEvent,
  type HeldCallView,
  type JsonObject,
  markOf,
  openView,
  safeText,
  type ToolResult,
} from '@countersign/core'
import { type OpenedGate, runCommand } from '@countersign/node'
import { timeOfDay } from '@countersign/terminal/card'
import { localKey } from '../home/approver-key.ts'
import { homeFlag } from '../home/inbox-address.ts'
import { INSIDE } from '../home/nested-call-guard.ts'
import { type AskingTerminal, askOnTerminal } from '../prompt/ask-on-terminal.ts'
import { type Io, say } from '../terminal/io.ts'
import { commandOf } from './command-call.ts'
import { CommandFailed } from './outcome.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Whether the terminal may ask, and whether notices are hidden. */
export interface Asking {
  readonly input: boolean
  readonly quiet: boolean
}

/** Submits the command and runs it once it is permitted. */
export function runGated(call: Call & { readonly id: string }, opened: OpenedGate, options: Asking, io: Io) {
  return askThenRun(call, opened, options, io, async (args) => {
    const env = { ...io.env, [INSIDE]: call.id }
    const ended = await runCommand(commandOf(args), { cwd: io.cwd, stdio: 'inherit', env })
    if (ended.exitCode !== 0 || ended.how !== 'exited') throw new CommandFailed(ended)
    return ended
  })
}

/** Submits a call and runs it once it is permitted. Signals withdraw it while it is held; once it runs, they go to it. */
export async function askThenRun(
  call: Call & { readonly id: string },
  opened: OpenedGate,
  options: Asking,
  io: Io,
  run: (args: JsonObject) => Promise<unknown>,
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
      (args) => {
        for (const signal of SIGNALS) process.off(signal, withdraw)
        return run(args)
      },
      gone.signal,
    )
    const told = asking?.toldRefusal(result.callId) ?? false
    if (!alone || result.kind !== 'refusal' || result.outcome !== 'withdrawn') return { result, told }
    const message = 'approval is needed and `--no-input` prevents asking; remove the flag, or add a rule'
    return { result: { ...result, code: 'CS_NO_INTERFACE', message }, told }
  } finally {
    for (const signal of SIGNALS) process.off(signal, withdraw)
    asking?.stop()
    stopTelling()
  }
}

function needsPerson({ judgement }: Extract<GateEvent, { kind: 'judged' }>): boolean {
  return !judgement.safety.blocked && (judgement.supervision === 'confirm' || judgement.supervision === 'manual')
}

function ask(opened: OpenedGate, withdraw: () => void, io: Io): AskingTerminal {
  return askOnTerminal(opened, {
    terminal: () => io.terminal(),
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
  if (event.kind === 'notice')
    say(io, `countersign: notice: ${safeText(event.effect)} (${safeText(event.judgement.verdict.rule.id)})`)
  if (event.kind === 'decision-refused')
    say(io, `countersign: a decision was not accepted: ${safeText(event.message)} [${safeText(event.code)}]`)
}
