import { recordedRefusals } from '../approval/history/last-refusals.ts'
import type { Json } from '../call/json/json.ts'
import type { SandboxRefusal } from '../policy/model/containment.ts'
import type { CallRedactor } from '../secrets/redact.ts'

/** How a command ended: its exit code as a shell reports it, and its output, if the tool has it. */
export interface CommandEnd {
  readonly exitCode: number
  readonly output?: string
}

/** What a running tool tells the gate besides its result. */
export interface RunNotes {
  /** Records what the sandbox refused to the run, for a later request to run the command outside. */
  readonly refused: (refusals: readonly SandboxRefusal[]) => void
  /** Records how a command ended. */
  readonly ended: (end: CommandEnd) => void
}

/** Notes taken during one run. */
export interface TakenNotes extends RunNotes {
  /** The fields of the outcome entry, redacted. */
  entry(redactor: CallRedactor): { readonly [field: string]: Json }
}

/** Read for secrets before it is cut: one that begins before the kept end must be found. */
const MAX_READ = 20_000
const MAX_OUTPUT = 2_000

/** Takes notes for one run. The journal keeps the end of a command's output, without secrets. INVARIANT: L10. */
export function takeNotes(): TakenNotes {
  const refusals: SandboxRefusal[] = []
  let end: CommandEnd | null = null
  return {
    refused: (more) => void refusals.push(...more),
    ended(given) {
      end = given
    },
    entry: (redactor) => ({
      ...(refusals.length === 0 ? {} : { refused: recordedRefusals(refusals, redactor) }),
      ...(end === null ? {} : endEntry(end, redactor)),
    }),
  }
}

function endEntry({ exitCode, output = '' }: CommandEnd, redactor: CallRedactor): { readonly [field: string]: Json } {
  const exit = Number.isSafeInteger(exitCode) ? { exit: exitCode } : {}
  const tail = lastLines(redactor.text(wholeLines(output)))
  return tail === '' ? exit : { ...exit, output: tail }
}

/** The end of a long output, from the start of a line: half a secret would not be recognized. */
function wholeLines(output: string): string {
  if (output.length <= MAX_READ) return output
  const cut = output.slice(-MAX_READ)
  return cut.slice(cut.indexOf('\n') + 1 || cut.length)
}

function lastLines(text: string): string {
  const trimmed = text.trimEnd()
  return trimmed.length <= MAX_OUTPUT ? trimmed : `…${trimmed.slice(-MAX_OUTPUT)}`.toWellFormed()
}
