import { type CheckAnswer, type Checker, type CheckInput, countWords, type Json } from '@countersign/core'
import { type Argument, argumentTexts } from './argument-texts.ts'
import { leavesMachine, secretFile } from './secret-destination.ts'
import { scanSecrets } from './secret-scanner.ts'

/** A secret in an argument, as a person and the journal may see it: never the value. */
interface Shown {
  readonly [name: string]: Json
  readonly kind: string
  readonly at: string
  readonly tail: string
}

/** A finding lists so many secrets; it counts the rest. */
const MAX_SHOWN = 20

/**
 * Whether a call carries a secret. Where the secret would leave the machine, or be written into a file that is no place
 * for one, the call fails and a person may let it pass; elsewhere it is worth a notice.
 */
export function secretsChecker(): Checker {
  return {
    name: 'secrets',
    async check(input) {
      const shown: Shown[] = []
      for (const argument of argumentTexts(input.call.args)) shown.push(...(await secretsOf(argument)))
      return answer(input, unique(shown))
    },
  }
}

async function secretsOf({ text, name, offset }: Argument): Promise<readonly Shown[]> {
  const found = await scanSecrets(text)
  return found.map(({ kind, start, end }) => ({
    kind,
    at: `${name}${placeOf(text, start - offset)}`,
    tail: tailOf(text.slice(start, end)),
  }))
}

function answer(input: CheckInput, secrets: readonly Shown[]): CheckAnswer {
  const [first] = secrets
  if (first === undefined) return { status: 'pass', message: 'it carries no secret' }
  const what =
    secrets.length === 1 ? `a secret (${first.kind})` : `${countWords(secrets.length, 'secret')} (${first.kind}, …)`
  const details = { secrets: secrets.slice(0, MAX_SHOWN), count: secrets.length }
  const leaves = leavesMachine(input)
  const file =
    input.call.descriptor.kind === 'write'
      ? (input.call.descriptor.paths ?? []).find((path) => !secretFile(path))
      : undefined
  if (leaves) {
    const message = `it sends ${what} out, in ${first.at}`
    return {
      status: 'fail',
      message,
      details,
      overridable: true,
      suggestion: 'let the program read it from the environment or a file',
    }
  }
  if (file !== undefined) {
    const message = `it writes ${what} into \`${file}\`, in ${first.at}`
    return {
      status: 'fail',
      message,
      details,
      overridable: true,
      suggestion: 'keep it in `.env` or a secret store, and read it from there',
    }
  }
  return { status: 'warn', message: `it carries ${what}, in ${first.at}`, details }
}

/** `:line:column` within a text of several lines. */
function placeOf(text: string, at: number): string {
  if (at < 0 || !text.includes('\n')) return ''
  const before = text.slice(0, at)
  return `:${before.split('\n').length}:${at - before.lastIndexOf('\n')}`
}

/** The last characters of a long secret tell two apart and open nothing. */
function tailOf(secret: string): string {
  return secret.length < 16 || secret.includes('\n') ? '…' : `…${secret.slice(-4)}`
}

function unique(shown: readonly Shown[]): readonly Shown[] {
  const seen = new Set<string>()
  return shown.filter(({ kind, at, tail }) => {
    const key = `${kind} ${at} ${tail}`
    return seen.has(key) ? false : seen.add(key)
  })
}
